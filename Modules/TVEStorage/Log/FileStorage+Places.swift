public import Foundation
import TVEModels

/// The usual places of stores.
extension FileStorage {
    /// The usual place of an app's store.
    ///
    /// - Parameter name: the app's bundle id or another unique name. Bytes that would make another path (an empty name, `.`,
    ///   `..`, `/`, NUL) are replaced with `_`.
    /// - Returns: `$XDG_DATA_HOME/swift-access-enabler/NAME`, by default below `~/.local/share`; on Apple systems
    ///   `Application Support/swift-access-enabler/NAME`.
    public static func defaultDirectory(name: String) -> URL {
        let environment = ProcessInfo.processInfo.environment["XDG_DATA_HOME"].flatMap {
            $0.hasBytePrefix("/") ? $0 : nil
        }
        let base = environment.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? systemDirectory
        return base.appendingPathComponent("swift-access-enabler", isDirectory: true)
            .appending(PathComponent(name), isDirectory: true)
    }

    /// The usual place of a sealed store's key: a file beside the log.
    ///
    /// - Parameter directory: the store's directory.
    public static func sealingKey(in directory: URL) -> URL { directory.appendingPathComponent("sealing.key") }

    private static var systemDirectory: URL {
        #if canImport(Darwin)
        return URL.applicationSupportDirectory
        #else
        // As a shell reads `~`; the system's user database is only for a process without this variable.
        let home = ProcessInfo.processInfo.environment["HOME"].flatMap { $0.hasBytePrefix("/") ? $0 : nil }
        return (home.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? URL.homeDirectory)
            .appendingPathComponent(".local/share", isDirectory: true)
        #endif
    }
}
