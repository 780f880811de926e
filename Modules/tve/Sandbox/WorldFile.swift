import Foundation
import TVESandbox

/// Reads a world from a file, and reports its errors.
enum WorldFile {
    static func read(_ path: String) throws -> SandboxWorld {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw ToolFailure("\(path) cannot be read.")
        }
        do throws(SandboxWorldDocumentError) {
            return try SandboxWorld(json: bytes)
        } catch {
            throw ToolFailure("\(path) is no world: \(error)")
        }
    }
}
