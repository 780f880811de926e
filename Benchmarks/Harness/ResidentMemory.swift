import Foundation

/// The memory of this process.
public enum ResidentMemory {
    /// Returns the resident memory in kilobytes.
    ///
    /// - Throws: errors of the file system, or `CocoaError` if the system does not report the memory.
    public static func kilobytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let number = Int(line.filter(\.isNumber))
        else { throw CocoaError(.fileReadCorruptFile) }
        return number
    }
}
