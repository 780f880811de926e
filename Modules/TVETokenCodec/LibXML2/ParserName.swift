/// A name in a document, which points to the parser's only copy of it.
///
/// Two names of one parser are equal if they have the same address, so comparing them reads no memory. Reading the text
/// of a name does, so the name must not outlive its parser.
@safe struct ParserName: Equatable, BitwiseCopyable {
    private let start: UnsafePointer<UInt8>

    /// - Parameter start: the parser's copy of the name, followed by a zero.
    @inline(__always)
    init(_ start: UnsafePointer<UInt8>) { unsafe self.start = start }

    /// The text of the name.
    ///
    /// The parser must still exist.
    @unsafe var text: String { unsafe String(cString: start) }

    @inline(__always)
    static func == (left: ParserName, right: ParserName) -> Bool { unsafe left.start == right.start }
}
