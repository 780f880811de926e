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
    /// The file was written by a newer version of this tool.
    case newer(String)
    /// Some bytes of the file have changed or are missing.
    case damaged(String)
    /// The file belongs to a sandbox with another key, whose tokens this sandbox would refuse.
    case otherKey(String)

    /// A sentence that names the path and says what to do.
    ///
    /// A file with an error is never changed.
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
