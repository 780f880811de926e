public import Foundation

/// The usual places of stores.
extension FileStorage {
    /// The usual place of an app's store.
    ///
    /// - Parameter name: the app's bundle id or another unique name. Characters that would make another path (an empty
    ///   name, `.`, `..`, `/`) are replaced with `_`.
    /// - Returns: `$XDG_DATA_HOME/swift-access-enabler/NAME`, by default below `~/.local/share`; on Apple systems
    ///   `Application Support/swift-access-enabler/NAME`.
    public static func defaultDirectory(name: String) -> URL {
        let environment = ProcessInfo.processInfo.environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let base = environment.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? systemDirectory
        let folder = name.allSatisfy { $0 == "." } ? String(repeating: "_", count: max(1, name.count)) : name
        return base.appendingPathComponent("swift-access-enabler", isDirectory: true)
            .appendingPathComponent(folder.replacing("/", with: "_"), isDirectory: true)
    }

    /// The usual place of a sealed store's key: a file beside the log.
    ///
    /// - Parameter directory: the store's directory.
    public static func sealingKey(in directory: URL) -> URL { directory.appendingPathComponent("sealing.key") }

    private static var systemDirectory: URL {
        #if canImport(Darwin)
        return URL.applicationSupportDirectory
        #else
        return URL.homeDirectory.appendingPathComponent(".local/share", isDirectory: true)
        #endif
    }
}
