import Foundation

/// How much memory this process has.
public enum ResidentMemory {
    /// What the system says is resident now, in kilobytes.
    ///
    /// - Throws: what the file system throws, or `CocoaError` where the system does not say.
    public static func kilobytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let number = Int(line.filter(\.isNumber))
        else { throw CocoaError(.fileReadCorruptFile) }
        return number
    }
}
