import Foundation
import TVEModels

/// Why the state of a sandbox cannot be kept in a directory, or not be read from it.
package enum SandboxFolderError: Error, Sendable, Equatable, CustomStringConvertible {
    case notADirectory(String)
    /// Others may read the directory, or it belongs to someone else.
    case notPrivate(String)
    /// Another sandbox uses it.
    case inUse(String)
    /// The system's error number of a path.
    case system(String, errno: Int32)
    /// A file that no sandbox has written.
    case foreign(String)
    /// A file of a newer version of this tool.
    case newer(String)
    /// Some of its bytes have changed or are missing.
    case damaged(String)
    /// A file of a sandbox with another key, whose tokens this one would refuse.
    case otherKey(String)

    /// A sentence about what was found, and one about what to do; the file is never changed.
    package var description: String {
        switch self {
        case .notADirectory(let path): "\(path) is not a directory. Name a new one."
        case .notPrivate(let path):
            "\(path) is not private. Name a new directory, or make this one yours alone with chmod 700."
        case .inUse(let path): "Another sandbox uses \(path). End it, or name another directory."
        case .system(let path, let number):
            "\(path) cannot be used: \(SystemCall.message(number)). Name another directory."
        case .foreign(let path): "\(path) was not written by a sandbox and was left as it is. Name another directory."
        case .newer(let path):
            "\(path) was written by a newer version and was left as it is. Update tve, or name another directory."
        case .damaged(let path): "\(path) is damaged and was left as it is. Move it away to begin without it."
        case .otherKey(let path):
            "\(path) belongs to a sandbox with another key, whose tokens would not be valid here. "
                + "It was left as it is; name another directory, or start the sandbox with that key."
        }
    }
}
