/// Any other text as a key: two are equal when their UTF-8 bytes are.
package struct ExactText: OpaqueID {
    /// The text.
    package let text: String

    /// Wraps a text.
    package init(_ text: String) {
        self.text = text
    }
}
