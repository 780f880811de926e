/// A mutator that changes tokens, configurations, sessions and decisions according to their structure.
///
/// The same seed gives the same changes.
struct StructureMutator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Returns a document after one to three changes, or one of ``Vocabulary/documents`` instead.
    mutating func mutated(_ document: [UInt8]) -> [UInt8] {
        if document.isEmpty || random(below: 200) == 0 { return pick(Vocabulary.documents) }
        var bytes = document
        for _ in 0...random(below: 3) { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let first = boundary(in: bytes)
        let second = boundary(in: bytes)
        let range = min(first, second)..<max(first, second)
        switch random(below: 8) {
        case 0: bytes.insert(contentsOf: pick(Vocabulary.pieces), at: first)
        case 1: bytes.insert(contentsOf: element(), at: first)
        case 2: bytes.removeSubrange(range)
        case 3: bytes.insert(contentsOf: bytes[range].prefix(1_024), at: boundary(in: bytes))
        case 4: bytes.replaceSubrange(range, with: random(below: 2) == 0 ? text() : pick(Vocabulary.pieces))
        case 5: rename(&bytes, from: first)
        case 6: bytes.insert(contentsOf: pick(Vocabulary.pieces), at: random(below: bytes.count + 1))
        default:
            // A whole element surrounds the range, so that a well-formed document often stays well-formed.
            let name = pick(Vocabulary.names)
            bytes.insert(contentsOf: Array("</".utf8) + name + Array(">".utf8), at: range.upperBound)
            bytes.insert(contentsOf: Array("<".utf8) + name + Array(">".utf8), at: range.lowerBound)
        }
    }

    /// Returns an element with text, or an empty element.
    private mutating func element() -> [UInt8] {
        let name = pick(Vocabulary.names)
        let attribute = random(below: 6) == 0 ? pick(Vocabulary.attributes) : []
        guard random(below: 6) > 0 else { return Array("<".utf8) + name + attribute + Array("/>".utf8) }
        return Array("<".utf8) + name + attribute + Array(">".utf8) + text() + Array("</".utf8) + name + Array(">".utf8)
    }

    /// Returns up to four pieces of text, some of which are references.
    private mutating func text() -> [UInt8] {
        var text: [UInt8] = []
        for _ in 0..<random(below: 5) { text += pick(Vocabulary.texts) }
        return text
    }

    /// Renames the next tag after an offset, and usually its end tag too.
    private mutating func rename(_ bytes: inout [UInt8], from start: Int) {
        guard let open = bytes[start...].firstIndex(of: UInt8(ascii: "<")) else { return }
        let nameStart = open + 1
        let nameEnd = bytes[nameStart...].firstIndex { " />".utf8.contains($0) } ?? bytes.count
        let old = Array(bytes[nameStart..<nameEnd])
        let new = pick(Vocabulary.names)
        let endTag = Array("</".utf8) + old + Array(">".utf8)
        if random(below: 4) > 0,
            let end = bytes.indices[nameEnd...].first(where: { bytes[$0...].starts(with: endTag) })
        {
            bytes.replaceSubrange(end + 2..<end + 2 + old.count, with: new)
        }
        bytes.replaceSubrange(nameStart..<nameEnd, with: new)
    }

    /// Returns an offset before or after a tag or a reference, or sometimes any offset.
    private mutating func boundary(in bytes: [UInt8]) -> Int {
        let start = random(below: bytes.count + 1)
        guard random(below: 8) > 0 else { return start }
        for index in bytes.indices[start...] {
            switch bytes[index] {
            case UInt8(ascii: "<"), UInt8(ascii: "&"): return index
            case UInt8(ascii: ">"), UInt8(ascii: ";"): return index + 1
            default: break
            }
        }
        return bytes.count
    }

    private mutating func pick(_ list: [[UInt8]]) -> [UInt8] { list[random(below: list.count)] }

    /// Returns a random number from 0 to below a limit (SplitMix64).
    mutating func random(below limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return Int(truncatingIfNeeded: (value ^ value >> 31) % UInt64(limit))
    }
}
