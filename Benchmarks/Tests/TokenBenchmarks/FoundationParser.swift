import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// The code of an app that uses Foundation's event parser: one value per element, then the signature and the date.
final class FoundationParser: NSObject, XMLParserDelegate {
    private var text = ""
    private var values: [String: String] = [:]

    static func token(in document: Data) -> PlainToken? {
        let parser = XMLParser(data: document)
        let witness = FoundationParser()
        parser.delegate = witness
        parser.shouldProcessNamespaces = true
        guard parser.parse() else { return nil }
        return PlainToken(witness.values)
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        text = ""
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) { self.text += text }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        values[name] = text
        text = ""
    }
}
