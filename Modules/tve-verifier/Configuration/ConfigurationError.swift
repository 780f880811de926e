#if VerificationService
/// What is wrong with a configuration, and where.
struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file's path, or the name of an environment variable.
    let file: String
    /// The line in the file, from 1 on; nil if there is none.
    let line: Int?
    /// The field, for example `requestors[0].keys`; empty for the whole file.
    let field: String
    /// What is wrong, without the value, which may be a password.
    let problem: String

    var description: String {
        let place = line.map { "\(file):\($0)" } ?? file
        return field.isEmpty ? "\(place): \(problem)" : "\(place): \(field): \(problem)"
    }
}
#endif
