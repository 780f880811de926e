import CBareLibXML2

/// The lower bound of parsing: libxml2 with one reused context, empty handlers, and input that is parsed in place.
public enum BareLibXML2 {
    /// Returns a closure that parses documents in rotation, as often as its argument states.
    ///
    /// - Parameter documents: well-formed documents that end with a NUL.
    public static func parse(_ documents: [[CChar]]) -> (Int) -> Void {
        { repetitions in
            let parser = bare_parser_new()
            defer { bare_parser_free(parser) }
            for number in 0..<repetitions {
                let isGood = documents[number % documents.count].withUnsafeBufferPointer {
                    bare_parser_parse(parser, $0.baseAddress)
                }
                guard isGood == 1 else { fatalError("a document of the benchmark is not well-formed") }
            }
        }
    }
}
