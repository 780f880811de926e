/// Collects the mistakes of a configuration while it is read, so that all of them can be shown at once.
final class ConfigurationMistakes {
    private(set) var all: [ConfigurationError] = []

    /// Runs a closure, and records the mistake that it throws.
    ///
    /// - Returns: the value of the closure; nil after a mistake.
    @discardableResult
    func reading<Value>(_ body: () throws(ConfigurationError) -> Value) -> Value? {
        do throws(ConfigurationError) {
            return try body()
        } catch {
            record(error)
            return nil
        }
    }

    /// Runs a closure with a field that exists, and records the mistake that it throws.
    ///
    /// - Returns: the value of the closure; nil after a mistake, and when there is no field.
    @discardableResult
    func read<Value>(_ field: ConfigurationField?, _ body: (ConfigurationField) throws -> Value) -> Value? {
        guard let field else { return nil }
        do {
            return try body(field)
        } catch {
            // The compiler does not see that a short closure throws nothing else.
            record(error as? ConfigurationError ?? field.error("\(error)"))
            return nil
        }
    }

    func record(_ mistake: ConfigurationError) {
        if !all.contains(mistake) { all.append(mistake) }
    }
}

/// All mistakes of a configuration, at least one.
struct ConfigurationErrors: Error, Sendable, CustomStringConvertible {
    let all: [ConfigurationError]

    /// One line for each mistake.
    var description: String { all.map(\.description).joined(separator: "\n") }
}
