/// The element names that the scanner recognizes, as names of the library's parser.
///
/// Scanner and parser must write the same names to a tape, because readers compare them. Therefore every name comes
/// from the parser's dictionary: the known ones when the table is created, others when they occur.
struct XMLNameTable: ~Copyable {
    /// The longest name that is parsed without the library, in bytes.
    private static let mostBytes = 255
    /// The number of slots, a power of two that is large enough for most slots to stay empty.
    private static let slotCount = 512

    /// The names.
    ///
    /// The first entry is not a name but represents the beginning of a document.
    private var names = KeptBuffer<XMLName>(keeping: KnownNames.all.count + 1)
    /// The bytes of all names, one after the other, as a padded text.
    private var texts = KeptBuffer<UInt8>(keeping: 2_048)
    /// The indices of names by the hash of their bytes, or 0 for none.
    ///
    /// After a taken slot, the next one is used.
    private var slots = KeptBuffer<UInt16>(keeping: Self.slotCount)

    /// Looks up the parser's copies of all names.
    init(_ parser: XMLParser) {
        slots.append(0, count: Self.slotCount)
        names.append(XMLName(name: parser.intern(""), start: 0, count: 0))
        for name in KnownNames.all {
            let bytes = ContiguousArray(name.utf8)
            var slot = Self.slot(of: bytes.reduce(Self.emptyHash, Self.hash))
            while slots[slot] != 0 { slot = Self.slot(behind: slot) }
            slots[slot] = UInt16(names.count)
            names.append(XMLName(name: parser.intern(name), start: Int32(texts.count), count: Int32(bytes.count)))
            texts.append(contentsOf: bytes.span)
        }
        texts.append(0, count: PaddedText.padding)
    }

    /// Returns the name that last followed another one, if it occurs here again and ends its tag.
    ///
    /// - Parameter previous: the index of the known name before it, or 0 at the beginning of a document.
    /// - Returns: the index of the name, or 0 if another name is here.
    @inline(__always)
    func repeated(after previous: Int, in bytes: Span<UInt8>, at start: Int) -> Int {
        let index = Int(names[previous].next)
        let name = names[index]
        guard hasText(of: name, bytes, at: start), bytes[start &+ Int(name.count)] == UInt8(ascii: ">") else {
            return 0
        }
        return index
    }

    @inline(__always)
    subscript(index: Int) -> XMLName { names[index] }

    mutating func note(_ index: Int, after previous: Int) { names[previous].next = Int32(truncatingIfNeeded: index) }

    @inline(__always)
    private func hasText(of name: XMLName, _ bytes: Span<UInt8>, at start: Int) -> Bool {
        texts.withSpan { texts in bytes.hasSame(at: start, as: texts, at: Int(name.start), count: Int(name.count)) }
    }

    /// Parses a name of ASCII letters, digits and `_ - .`, without a prefix.
    ///
    /// - Returns: the length of the name and its index, which is 0 if the table does not contain it, or nil if there is
    ///   no such name.
    @inline(never)
    func read(_ bytes: Span<UInt8>, at start: Int) -> (count: Int, index: Int)? {
        guard bytes[start].isXMLNameStart else { return nil }
        var hash = Self.emptyHash
        var end = start
        while bytes[end].isXMLNameByte {
            hash = Self.hash(hash, bytes[end])
            end += 1
        }
        guard end - start <= Self.mostBytes else { return nil }
        var slot = Self.slot(of: hash)
        while slots[slot] != 0 {
            let name = names[Int(slots[slot])]
            if Int(name.count) == end - start, hasText(of: name, bytes, at: start) {
                return (end - start, Int(slots[slot]))
            }
            slot = Self.slot(behind: slot)
        }
        return (end - start, 0)
    }

    // MARK: - Hashes

    private static let emptyHash: UInt32 = 0x811C_9DC5

    private static func hash(_ hash: UInt32, _ byte: UInt8) -> UInt32 { (hash ^ UInt32(byte)) &* 0x0100_0193 }

    private static func slot(of hash: UInt32) -> Int { Int(hash ^ hash >> 16) & (slotCount - 1) }

    private static func slot(behind slot: Int) -> Int { (slot + 1) & (slotCount - 1) }
}

extension UInt8 {
    /// A Boolean value that indicates whether an element's name may begin with this byte.
    ///
    /// The library handles letters beyond ASCII.
    var isXMLNameStart: Bool {
        let letter = self | 0x20
        return letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z") || self == UInt8(ascii: "_")
    }

    /// A Boolean value that indicates whether this byte may be inside an element's name.
    ///
    /// A colon is excluded, because it would make the part before it a prefix.
    var isXMLNameByte: Bool {
        isXMLNameStart || asciiDigit != nil || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
    }
}

struct XMLName {
    /// The parser's copy of the name.
    var name: ParserName
    /// The offset of the name's bytes in the table.
    var start: Int32
    var count: Int32
    /// The index of the name that last followed this one, because documents of one kind have the same order.
    var next: Int32 = 0
}
