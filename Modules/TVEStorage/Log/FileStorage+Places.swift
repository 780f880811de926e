public import Foundation
import TVEModels

/// The usual locations of stores.
extension FileStorage {
    /// Returns the usual location of an app's store.
    ///
    /// - Parameter name: the app's bundle id or another unique name. Bytes that would result in another path (an empty
    ///   name, `.`, `..`, `/`, NUL) are replaced with `_`.
    /// - Returns: `$XDG_DATA_HOME/swift-access-enabler/NAME`, by default below `~/.local/share`. On Apple systems, the
    ///   location is `Application Support/swift-access-enabler/NAME`.
    public static func defaultDirectory(name: String) -> URL {
        let environment = ProcessInfo.processInfo.environment["XDG_DATA_HOME"].flatMap {
            $0.hasBytePrefix("/") ? $0 : nil
        }
        let base = environment.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? systemDirectory
        return base.appendingPathComponent("swift-access-enabler", isDirectory: true)
            .appending(PathComponent(name), isDirectory: true)
    }

    /// Returns the usual location of a sealed store's key, which is a file beside the log.
    ///
    /// - Parameter directory: the store's directory.
    public static func sealingKey(in directory: URL) -> URL { directory.appendingPathComponent("sealing.key") }

    private static var systemDirectory: URL {
        #if canImport(Darwin)
        return URL.applicationSupportDirectory
        #else
        // A shell interprets `~` in the same way. The system's user database serves only processes in which this
        // variable is missing, empty or a relative path, which would mean another store in each working directory.
        let home = ProcessInfo.processInfo.environment["HOME"].flatMap { $0.hasBytePrefix("/") ? $0 : nil }
        return (home.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? URL.homeDirectory)
            .appendingPathComponent(".local/share", isDirectory: true)
        #endif
    }
}
