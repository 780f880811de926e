/// What was read from a text last, because mostly the same text is read again.
package final class LastRead<Value: Sendable>: Sendable {
    private let last = Guarded<(text: String, value: Value)?>(nil)

    package init() {}

    /// The value of a text, read only if the last text had other bytes.
    ///
    /// - Parameter read: reads it; what it throws is not remembered.
    package func value(of text: String, _ read: (String) throws -> Value) rethrows -> Value {
        if let known = last.withLock({ $0 }), known.text.isSameBytes(as: text) { return known.value }
        let value = try read(text)
        last.withLock { $0 = (text, value) }
        return value
    }
}
