/// A generator of random changes to the structure of documents.
///
/// The same seed results in the same changes.
struct DocumentMutator {
    private var state: UInt64

    private static let pieces = [
        "<a>", "</a>", "<a/>", "<ttl>", "</ttl>", "<mvpd><id>1</id></mvpd>", "<a reason=\"1\">",
        " simpleResourceID=\"\"",
        "&amp;", "&lt;", "&#x41;", "&#65;", "&#13;", "&", ";", "]]>", "]]", ">", "é", "\u{1F600}", "\u{FFFF}", "\n",
        "\r\n",
        " ", "\t", "<![CDATA[x]]>", "<!-- x -->", "<?x y?>", "<!DOCTYPE a>", "<?xml version=\"1.0\"?>", "<q:a>",
        " xmlns:ns2=\"u\"", "ns2:", "text of more than eight bytes", "\u{0}", "=",
    ].map { Array($0.utf8) }

    init(seed: UInt64) { state = seed }

    /// Returns the document after one to four changes.
    mutating func mutated(_ document: [UInt8]) -> [UInt8] {
        var bytes = document
        for _ in 0...random(below: 4) { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let first = boundary(in: bytes)
        let second = boundary(in: bytes)
        let range = min(first, second)..<max(first, second)
        switch random(below: 6) {
        case 0, 1: bytes.insert(contentsOf: Self.pieces[random(below: Self.pieces.count)], at: first)
        case 2: bytes.removeSubrange(range)
        case 3: bytes.insert(contentsOf: bytes[range], at: boundary(in: bytes))
        case 4: bytes.replaceSubrange(range, with: Self.pieces[random(below: Self.pieces.count)])
        default:
            // A whole element is inserted, so that the document stays well-formed.
            bytes.insert(contentsOf: Array("<b>".utf8), at: range.upperBound)
            bytes.insert(contentsOf: Array("</b>".utf8), at: range.upperBound + 3)
        }
    }

    /// Returns an offset before or after a tag or a reference.
    private mutating func boundary(in bytes: [UInt8]) -> Int {
        let places = bytes.indices.filter { index in
            bytes[index] == UInt8(ascii: "<") || bytes[index] == UInt8(ascii: "&")
                || index > 0 && (bytes[index - 1] == UInt8(ascii: ">") || bytes[index - 1] == UInt8(ascii: ";"))
        }
        return places.isEmpty ? random(below: bytes.count + 1) : places[random(below: places.count)]
    }

    /// Returns a random number (SplitMix64).
    private mutating func random(below limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return Int(truncatingIfNeeded: (value ^ value >> 31) % UInt64(limit))
    }
}
