/// A name in a document: the parser's only copy of it.
///
/// Two names of one parser are equal when they are in the same place, so comparing them reads no memory. Reading one
/// does: it must not outlive its parser.
@safe struct ParserName: Equatable, BitwiseCopyable {
    private let start: UnsafePointer<UInt8>

    /// - Parameter start: the name with a zero at its end, as the parser keeps it.
    @inline(__always)
    init(_ start: UnsafePointer<UInt8>) { unsafe self.start = start }

    /// The name; the parser must still be there.
    @unsafe var text: String { unsafe String(cString: start) }

    /// The name for calls of the library.
    @unsafe var pointer: UnsafePointer<UInt8> { unsafe start }

    @inline(__always)
    static func == (left: ParserName, right: ParserName) -> Bool { unsafe left.start == right.start }
}
