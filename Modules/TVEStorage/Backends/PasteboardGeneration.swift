/// Which apps share a named pasteboard, by version of the system (API reference, storage generations).
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
