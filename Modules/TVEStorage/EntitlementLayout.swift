import Foundation
import TVEModels

/// Which entry stands where: requestor → device → TV provider → tokens.
struct EntitlementLayout: Sendable {
    /// Whose part of the store this is.
    let fingerprint: String

    static let root = StorageKey("requestor")
    /// What a repair moved aside.
    static let quarantine = StorageKey("quarantine")
    /// What was once looked at in places of older versions.
    static let imported = StorageKey("imported")
    /// Logins that a service has yet to be told about.
    static let logouts = StorageKey("logout")
    /// What stands for the device where the system has no id of its own.
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

    /// The notes about logins of a requestor that a service has yet to be told about.
    func notes(_ requestorID: String) -> StorageKey { Self.logouts.appending(requestorID).appending(fingerprint) }

    func note(_ requestorID: String, _ mvpdID: String) -> StorageKey {
        notes(requestorID).appending("mvpd").appending(mvpdID)
    }

    /// The note about every login of a requestor.
    func noteOfAll(_ requestorID: String) -> StorageKey { notes(requestorID).appending("all") }

    /// Below which stand the logins that were made after the note about all.
    func newerLogins(_ requestorID: String) -> StorageKey { notes(requestorID).appending("newer") }

    /// Writes the note about every login of a requestor; there is none yet that was made since.
    func endingEveryLogin(of requestorID: String) -> [StorageChange] {
        [
            .removeAll(under: newerLogins(requestorID)),
            .put(noteOfAll(requestorID), LogoutNote(isEnded: false).bytes),
        ]
    }

    // MARK: - Marks of the importer

    /// Nothing is taken over any more, whoever asks.
    static let importsAreOver = imported.appending("closed")

    /// Nothing is taken over any more for a requestor on this device.
    func importsAreOver(_ requestorID: String) -> StorageKey {
        Self.imported.appending(requestorID).appending(fingerprint)
    }

    /// A place was looked at for a requestor on this device.
    func wasLookedAt(_ requestorID: String, _ place: String) -> StorageKey {
        importsAreOver(requestorID).appending(place)
    }

    // MARK: - Values

    static func metadata(_ bytes: Data) throws -> UserMetadata {
        try OutsideJSON.decode(UserMetadata.self, from: bytes, .answer)
    }

    static func encoded(_ metadata: UserMetadata) -> Data {
        // Its values came out of JSON, so they go back into it; nothing that JSON cannot hold can be in there.
        (try? JSONEncoder().encode(metadata)) ?? Data("{}".utf8)
    }

    static func decisions(_ bytes: Data) -> [PreauthorizationDecision]? {
        try? OutsideJSON.decode([PreauthorizationDecision].self, from: bytes, .answer)
    }

    static func encoded(_ decisions: [PreauthorizationDecision]) -> Data {
        // Texts, numbers and booleans: nothing that JSON cannot hold.
        (try? JSONEncoder().encode(decisions)) ?? Data("[]".utf8)
    }
}
