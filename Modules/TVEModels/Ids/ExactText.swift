/// A text as a key: two are equal when their UTF-8 bytes are.
///
/// `String` compares by canonical equivalence: the Kelvin sign U+212A equals `K`, and `é` equals `e` with a combining
/// accent. To the service and to the signers of tokens these are different ids, so dictionaries and sets of ids use
/// this key.
package struct ExactText: Sendable, Hashable {
    /// The text.
    package let text: String

    /// Wraps a text.
    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: ExactText, right: ExactText) -> Bool { left.text.isSameBytes(as: right.text) }

    package func hash(into hasher: inout Hasher) {
        text.hashBytes(into: &hasher)
    }
}
