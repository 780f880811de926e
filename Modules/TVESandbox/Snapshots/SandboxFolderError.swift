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

    /// One sentence that names the path and says what to do; the file is never changed.
    package var description: String {
        switch self {
        case .notADirectory(let path): "\(path) is not a directory."
        case .notPrivate(let path):
            "\(path) is not private: name a new directory, or make this one yours alone with chmod 700."
        case .inUse(let path): "Another sandbox uses \(path)."
        case .system(let path, let number): "\(path): \(SystemCall.message(number))."
        case .foreign(let path): "\(path) was not written by a sandbox; it was left as it is."
        case .newer(let path): "\(path) was written by a newer version; it was left as it is."
        case .damaged(let path): "\(path) is damaged; it was left as it is. Move it away to begin without it."
        case .otherKey(let path):
            "\(path) belongs to a sandbox with another key, whose tokens would not be valid here; it was left as it is."
        }
    }
}
