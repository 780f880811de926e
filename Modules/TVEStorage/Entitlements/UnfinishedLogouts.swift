import Foundation
public import TVEModels

/// The unfinished logouts: logins that were removed here and that a service may still keep.
///
/// As long as there are any, the service's answer that the viewer is logged in with one of these providers does not
/// count.
public struct UnfinishedLogouts: Sendable, Hashable {
    /// Providers whose login the viewer ended, and the service was not told.
    public var pending: [MVPDID] = []
    /// Whether the viewer ended every login, with any provider.
    public var isOfEveryLogin = false
    /// Providers of logins that were made since then, and are not included.
    public var newer: [MVPDID] = []
    /// The notes as they were read, so that a later note with the same key is not taken for one of these.
    var notes: [StorageKey: Data] = [:]

    /// Whether nothing is left to do.
    public var isEmpty: Bool { pending.isEmpty && !isOfEveryLogin }

    /// Whether a login with a provider is concerned.
    ///
    /// - Parameter mvpdID: the TV provider.
    public func concerns(_ mvpdID: MVPDID) -> Bool {
        isOfEveryLogin && !newer.contains(mvpdID) || pending.contains(mvpdID)
    }
}

/// A note about a login that was ended on this device, with an id that distinguishes several notes with the same key.
///
/// A process that has told the service removes the note that it read before, and not a later one.
struct LogoutNote {
    /// The note as a unique value.
    let bytes = Data("1 \(String(UInt64.random(in: .min ... .max), radix: 16))".utf8)

    /// Whether a note says that the service had ended a login by itself.
    ///
    /// Earlier versions wrote such notes, which made the next login end the one that the service kept. They count no more:
    /// no answer of a service leads to a logout.
    static func isOfEarlierVersions(_ bytes: Data) -> Bool { firstWord(of: bytes) == "ended" }

    /// Whether a stored value is a note; earlier versions wrote only the first word.
    static func isNote(_ bytes: Data) -> Bool { ["1", "ended"].contains(firstWord(of: bytes)) }

    private static func firstWord(of bytes: Data) -> String {
        String(String(decoding: bytes, as: UTF8.self).divided(at: " ").before)
    }
}

extension StoredEntry.Owner {
    /// Writes the note about every login of the owner; no login is newer than this note yet.
    var endingEveryLogin: [StorageChange] {
        [.removeAll(under: newerLogins), .put(.endOfEveryLogin(self), LogoutNote().bytes)]
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
