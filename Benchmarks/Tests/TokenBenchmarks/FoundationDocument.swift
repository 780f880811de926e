import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// The code of an app that uses Foundation's document: a tree with one value per element.
enum FoundationDocument {
    static func token(in document: Data) -> PlainToken? {
        guard let root = try? XMLDocument(data: document).rootElement() else { return nil }
        var values: [String: String] = [:]
        collect(root, into: &values)
        return PlainToken(values)
    }

    private static func collect(_ element: XMLElement, into values: inout [String: String]) {
        for child in element.children ?? [] {
            guard let child = child as? XMLElement, let name = child.name else { continue }
            values[name] = child.stringValue
            collect(child, into: &values)
        }
    }
}
