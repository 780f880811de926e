public import Foundation

/// A backend that apps of one team share, as named pasteboards of iOS are shared.
///
/// On iOS it is a `UIPasteboard`. On other systems it is a board on disk for tests of the documented sharing: a log in
/// a folder that only apps of the same generation and team open. The system wipes pasteboards when it is upgraded to
/// iOS 10.
public final class PasteboardStorage: StorageBackend, ForwardingStorage {
    let storage: any StorageBackend

    /// Opens a board.
    ///
    /// It reads and creates nothing before the first call.
    ///
    /// - Parameters:
    ///   - name: the board's name, the same in all apps that share it.
    ///   - generation: the generation of sharing, which selects the apps that share the board.
    ///   - boards: the folder of all boards on systems that have no pasteboards.
    public init(
        name: String, generation: PasteboardGeneration,
        boards: URL = FileStorage.defaultDirectory(name: "pasteboards")
    ) {
        #if canImport(UIKit) && !os(tvOS) && !targetEnvironment(macCatalyst)
        storage = SnapshotStorage([PasteboardSnapshotItem(name: "\(generation.name).\(name)")])
        #else
        storage = FileStorage(
            directory: boards.appending(PathComponent("\(generation.name).\(name)"), isDirectory: true))
        #endif
    }
}

/// The group of apps that share a named pasteboard, by version of the system (API reference, storage generations).
public enum PasteboardGeneration: Sendable, Hashable {
    /// Every app on the device (iOS 6 and before).
    case systemWide
    /// Apps signed by the same team (iOS 7 and later).
    case team(String)

    /// A unique name for this generation, valid as a folder name.
    var name: String {
        switch self {
        case .systemWide: "system"
        case .team(let id): "team-\(id)"
        }
    }
}
