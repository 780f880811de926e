import Foundation
public import TVEModels

/// The unfinished logouts: logins that were removed here and that a service may still keep.
///
/// As long as there are any, the service's answer that the viewer is logged in with one of these providers does not
/// count.
public struct UnfinishedLogouts: Sendable, Hashable {
    /// Providers whose login the viewer ended, and the service was not told.
    public var pending: [MVPDID] = []
    /// Providers whose login the service itself ended: the viewer's next login must be a new one.
    public var ended: [MVPDID] = []
    /// Whether the viewer ended every login, with any provider.
    public var isOfEveryLogin = false
    /// Providers of logins that were made since then, and are not included.
    public var newer: [MVPDID] = []
    /// The notes as they were read, so that a later note with the same key is not taken for one of these.
    var notes: [StorageKey: Data] = [:]

    /// Whether nothing is left to do.
    public var isEmpty: Bool { pending.isEmpty && ended.isEmpty && !isOfEveryLogin }

    /// Whether a login with a provider is concerned.
    ///
    /// - Parameter mvpdID: the TV provider.
    public func concerns(_ mvpdID: MVPDID) -> Bool {
        isOfEveryLogin && !newer.contains(mvpdID) || pending.contains(mvpdID)
            || ended.contains(mvpdID)
    }
}

/// A note about a login that was ended on this device: the kind of end, and an id that distinguishes several notes with
/// the same key.
///
/// A process that has told the service removes the note that it read before, and not a later one.
struct LogoutNote {
    /// Whether the service itself ended the login, so that only the next login must be a new one.
    let isEnded: Bool

    private static let pending = "1"
    private static let ended = "ended"

    init(isEnded: Bool) {
        self.isEnded = isEnded
    }

    /// Parses a note; earlier versions wrote only the first word.
    init?(_ bytes: Data) {
        switch String(decoding: bytes, as: UTF8.self).divided(at: " ").before {
        case Substring(Self.pending): isEnded = false
        case Substring(Self.ended): isEnded = true
        default: return nil
        }
    }

    /// The note as a unique value.
    var bytes: Data {
        Data("\(isEnded ? Self.ended : Self.pending) \(String(UInt64.random(in: .min ... .max), radix: 16))".utf8)
    }
}

extension StoredEntry.Owner {
    /// Writes the note about every login of the owner; no login is newer than this note yet.
    var endingEveryLogin: [StorageChange] {
        [.removeAll(under: newerLogins), .put(.endOfEveryLogin(self), LogoutNote(isEnded: false).bytes)]
    }
}

extension EntitlementReading {
    /// For whom a viewer has ever begun to log in at a service that keeps the logins.
    ///
    /// Such a service may have a login that was never stored here: the app was closed before the viewer came back, or
    /// the viewer typed a code that had left the screen.
    func ownersOfBegunLogins() throws(StorageError) -> [StoredEntry.Owner] {
        try values.keys(under: StoredEntry.begunLogins).compactMap { key in
            if case .begunLogin(let owner) = StoredEntry(key) { owner } else { nil }
        }
    }
}
