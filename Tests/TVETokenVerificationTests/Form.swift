import Testing

/// A form in which the text of a token or a key reaches the verifier after a change on its way.
struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (String) -> String

    init(_ name: String, _ apply: @escaping @Sendable (String) -> String) {
        testDescription = name
        self.apply = apply
    }
}
