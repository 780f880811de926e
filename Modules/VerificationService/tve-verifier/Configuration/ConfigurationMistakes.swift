import Foundation

/// The mistakes in a configuration, which are collected while it is read so that all of them can be shown at once.
final class ConfigurationMistakes {
    private(set) var all: [ConfigurationError] = []
    /// Remarks that are not mistakes.
    private(set) var notes: [ConfigurationError] = []
    /// The time at which certificates have to be valid.
    let now: Date

    init(at now: Date) {
        self.now = now
    }

    /// Runs a closure, and records the mistake that it throws.
    ///
    /// - Returns: the value of the closure; `nil` after a mistake.
    @discardableResult
    func reading<Value>(_ body: () throws(ConfigurationError) -> Value) -> Value? {
        do throws(ConfigurationError) {
            return try body()
        } catch {
            record(error)
            return nil
        }
    }

    /// Runs a closure with a field, if there is one, and records the mistake that it throws.
    ///
    /// - Returns: the value of the closure; `nil` after a mistake, or if there is no field.
    @discardableResult
    func read<Value>(_ field: ConfigurationField?, _ body: (ConfigurationField) throws -> Value) -> Value? {
        guard let field else { return nil }
        do {
            return try body(field)
        } catch {
            // A short closure throws nothing else, but the compiler does not infer the type of its errors.
            record(error as? ConfigurationError ?? field.error(.unusable))
            return nil
        }
    }

    func record(_ mistake: ConfigurationError) {
        if !all.contains(mistake) { all.append(mistake) }
    }

    func note(_ remark: ConfigurationError) {
        if !notes.contains(remark) { notes.append(remark) }
    }
}

/// All mistakes in a configuration that has at least one.
struct ConfigurationErrors: Error, Sendable, CustomStringConvertible {
    let all: [ConfigurationError]

    /// A text with one line for each mistake.
    var description: String { all.map(\.description).joined(separator: "\n") }
}
