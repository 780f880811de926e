import Foundation
import TVEModels

/// The keys of all entries: requestor → device → TV provider → tokens.
struct EntitlementLayout: Sendable {
    /// The fingerprint of this device's part of the store.
    let fingerprint: String

    static let root = StorageKey("requestor")
    /// Values that a repair moved aside.
    static let quarantine = StorageKey("quarantine")
    /// Marks of places of older versions that were read.
    static let imported = StorageKey("imported")
    /// Logins that a service must still be told about.
    static let logouts = StorageKey("logout")
    /// The random text that identifies the device where the system has no id of its own.
    static let device = StorageKey("device")

    static let pending = "pending"
    static let preauthorization = "preauthorization"
    static let yes = Data("1".utf8)

    func part(_ requestorID: String) -> StorageKey {
        Self.root.appending(requestorID).appending(fingerprint)
    }

    func current(_ requestorID: String) -> StorageKey { part(requestorID).appending("current") }

    func pending(_ requestorID: String) -> StorageKey { part(requestorID).appending(Self.pending) }

    func login(_ requestorID: String, _ mvpdID: String) -> StorageKey {
        part(requestorID).appending("mvpd").appending(mvpdID)
    }

    /// The notes about logins of a requestor that a service must still be told about.
    func notes(_ requestorID: String) -> StorageKey { Self.logouts.appending(requestorID).appending(fingerprint) }

    func note(_ requestorID: String, _ mvpdID: String) -> StorageKey {
        notes(requestorID).appending("mvpd").appending(mvpdID)
    }

    /// The note about every login of a requestor.
    func noteOfAll(_ requestorID: String) -> StorageKey { notes(requestorID).appending("all") }

    /// The parent of logins that were made after the note about all.
    func newerLogins(_ requestorID: String) -> StorageKey { notes(requestorID).appending("newer") }

    /// Writes the note about every login of a requestor; no login is newer than this note yet.
    func endingEveryLogin(of requestorID: String) -> [StorageChange] {
        [
            .removeAll(under: newerLogins(requestorID)),
            .put(noteOfAll(requestorID), LogoutNote(isEnded: false).bytes),
        ]
    }

    // MARK: - Marks of the importer

    /// No login is imported any more, for any requestor.
    static let importsAreOver = imported.appending("closed")

    /// No login is imported any more for a requestor on this device.
    func importsAreOver(_ requestorID: String) -> StorageKey {
        Self.imported.appending(requestorID).appending(fingerprint)
    }

    /// A place was read for a requestor on this device.
    func wasLookedAt(_ requestorID: String, _ place: String) -> StorageKey {
        importsAreOver(requestorID).appending(place)
    }

    // MARK: - Values

    static func metadata(_ bytes: Data) throws -> UserMetadata {
        try OutsideJSON.decode(UserMetadata.self, from: bytes, .answer)
    }

    static func encoded(_ metadata: UserMetadata) -> Data {
        // The values came from JSON, so they can be written as JSON.
        (try? JSONEncoder().encode(metadata)) ?? Data("{}".utf8)
    }

    static func decisions(_ bytes: Data) -> [PreauthorizationDecision]? {
        try? OutsideJSON.decode([PreauthorizationDecision].self, from: bytes, .answer)
    }

    static func encoded(_ decisions: [PreauthorizationDecision]) -> Data {
        // Strings, numbers and booleans: always valid JSON.
        (try? JSONEncoder().encode(decisions)) ?? Data("[]".utf8)
    }
}
