import Foundation
import TVEModels

/// An error that prevents a sandbox from saving its state in a directory or from reading it.
package enum SandboxFolderError: Error, Sendable, Equatable, CustomStringConvertible {
    case notADirectory(String)
    /// Other users may read the directory, or it belongs to another user.
    case notPrivate(String)
    /// Another sandbox uses the directory.
    case inUse(String)
    /// The system has refused an operation on the path, with this error number.
    case system(String, errno: Int32)
    /// The file was not written by a sandbox.
    case foreign(String)
    /// The file was written by a newer version of this tool, or by an old one whose files are no longer read.
    case newer(String)
    /// Some bytes of the file have changed or are missing.
    case damaged(String)
    /// The file belongs to a sandbox with another key, whose tokens this sandbox would refuse.
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
            "\(path) was written by another version and was left as it is. "
                + "Use that version, or name another directory."
        case .damaged(let path): "\(path) is damaged and was left as it is. Move it away to begin without it."
        case .otherKey(let path):
            "\(path) belongs to a sandbox with another key, whose tokens would not be valid here. "
                + "It was left as it is; name another directory, or start the sandbox with that key."
        }
    }
}
