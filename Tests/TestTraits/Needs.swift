import Foundation
public import Testing

extension Trait where Self == ConditionTrait {
    /// Skips a test, with the reason, where programs are not installed that it runs.
    ///
    /// - Parameter programs: names of programs; their folders are those of `PATH` and the usual ones.
    public static func needs(_ programs: String...) -> Self {
        let missing = programs.filter { !isInstalled($0) }
        return .enabled(if: missing.isEmpty, "not installed here: \(missing.joined(separator: ", "))")
    }

    private static func isInstalled(_ program: String) -> Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").map(String.init) + ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }
}
