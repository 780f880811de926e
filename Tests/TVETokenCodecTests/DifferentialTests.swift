import Foundation
import TVEModels
import TVETestTraits
import TVETokenCodec
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

/// A comparison of the codec's XML with Foundation's `XMLParser`, for valid input and for changes of every byte of it.
///
/// Both use libxml2, but with different settings and different code around it. Some differences are intended: the codec
/// refuses document types, processing instructions, undeclared prefixes and inputs beyond its limits, which Foundation
/// accepts. Those have separate errors and are omitted from the comparison. Foundation's `XMLDocument` is not suitable
/// here, because on Linux it repairs broken documents and traps on empty ones.
@Suite(.oneAtATime)
struct DifferentialTests {
    private static let documents = [
        TokenSamples.authenticationBody, TokenSamples.mediaBody,
        "<a b='1' c=\"&amp;&lt;\">x&amp;y&#x41;<b/><![CDATA[<&]]>z<c>t</c></a>",
    ]

    /// An element as both sides represent it, without namespaces.
    struct Shape: Equatable {
        var name: String
        var attributes: [String: String]
        var text = ""
        var children: [Shape] = []
    }

    static func codec(_ bytes: [UInt8]) throws(TokenCodecError) -> Shape {
        func shape(_ element: XMLTree) -> Shape {
            Shape(
                name: element.name, attributes: element.attributes, text: element.text,
                children: element.children.map(shape))
        }
        return shape(try XMLTree(parsing: bytes, .answer))
    }

    /// A delegate that builds shapes from Foundation's events.
    private final class Witness: NSObject, XMLParserDelegate {
        private var open: [Shape] = []
        private(set) var root: Shape?
        private(set) var hasFailed = false

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            open.append(Shape(name: name, attributes: attributes))
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) {
            open[open.count - 1].text += text
        }

        func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
            hasFailed = true
        }

        func parser(_ parser: XMLParser, foundCDATA bytes: Data) {
            open[open.count - 1].text += String(decoding: bytes, as: UTF8.self)
        }

        func parser(_ parser: XMLParser, didEndElement: String, namespaceURI: String?, qualifiedName: String?) {
            let shape = open.removeLast()
            if open.isEmpty { root = shape } else { open[open.count - 1].children.append(shape) }
        }
    }

    static func foundation(_ bytes: [UInt8]) -> Shape? {
        let parser = XMLParser(data: Data(bytes))
        let witness = Witness()
        parser.delegate = witness
        parser.shouldProcessNamespaces = true
        // On Linux, the result alone also accepts documents whose end tags do not match.
        let isGood = parser.parse() && !witness.hasFailed && parser.parserError == nil
        return isGood ? witness.root : nil
    }

    private static func compare(_ bytes: [UInt8]) {
        // Foundation does not parse bytes that are not UTF-8 here, because it guesses other encodings.
        guard !bytes.isEmpty, String(validUTF8: bytes) != nil else { return }
        let theirs = foundation(bytes)
        do throws(TokenCodecError) {
            let ours = try codec(bytes)
            #expect(ours == theirs, "\(String(decoding: bytes, as: UTF8.self))")
        } catch {
            switch error {
            case .malformedXML(let code, _) where code == undefinedNamespace: break
            case .malformedXML, .empty: #expect(theirs == nil, "\(String(decoding: bytes, as: UTF8.self)): \(error)")
            default: break
            }
        }
    }

    /// The number of libxml2's error for a prefix that was not declared.
    private static let undefinedNamespace = 201

    @Test(arguments: documents.indices)
    func agreesWithFoundation(index: Int) throws {
        let bytes = Array(Self.documents[index].utf8)
        #expect(try Self.codec(bytes) == Self.foundation(bytes))
    }

    @Test(arguments: documents.indices)
    func agreesWithFoundation_onEveryChangedByte(index: Int) {
        let bytes = Array(Self.documents[index].utf8)
        for offset in bytes.indices {
            for bit in 0..<7 {
                var changed = bytes
                changed[offset] ^= 1 << bit
                Self.compare(changed)
            }
            Self.compare(Array(bytes[..<offset]))
            Self.compare(Array(bytes[...offset] + bytes[offset...]))
        }
    }
}
