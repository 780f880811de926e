import Foundation
public import TVEModels

/// The pending logouts of logins that were removed here and that a service may still have.
///
/// While there are any, the service's answer that the viewer is logged in with one of these providers is ignored.
public struct UnfinishedLogouts: Sendable, Hashable {
    /// The providers whose login the viewer ended while the service has not received the logout.
    public var pending: [MVPDID] = []
    /// A Boolean value that indicates whether the viewer ended every login, with any provider.
    public var isOfEveryLogin = false
    /// The providers of logins that were made since then and are therefore excluded.
    public var newer: [MVPDID] = []
    /// The records as they were read, so that a later record with the same key is not mistaken for one of these.
    var notes: [StorageKey: Data] = [:]

    /// A Boolean value that indicates whether there are no pending logouts.
    public var isEmpty: Bool { pending.isEmpty && !isOfEveryLogin }

    /// Returns a Boolean value that indicates whether the logouts concern a login with a provider.
    ///
    /// - Parameter mvpdID: the TV provider.
    public func concerns(_ mvpdID: MVPDID) -> Bool {
        isOfEveryLogin && !newer.contains(mvpdID) || pending.contains(mvpdID)
    }
}

/// A record of a login that was ended on this device, with an id that distinguishes records with the same key.
///
/// A process that has sent the logout removes the record that it read before, but not a later one.
struct LogoutNote {
    /// The record as a unique value.
    let bytes = Data("1 \(String(UInt64.random(in: .min ... .max), radix: 16))".utf8)

    /// Returns a Boolean value that indicates whether a record states that the service had ended a login by itself.
    ///
    /// Earlier versions wrote such records, which made the next login end the one that the service had. They are now
    /// ignored, because no answer of a service leads to a logout.
    static func isOfEarlierVersions(_ bytes: Data) -> Bool { firstWord(of: bytes) == "ended" }

    /// Returns a Boolean value that indicates whether a stored value is a record.
    ///
    /// Earlier versions wrote only the first word.
    static func isNote(_ bytes: Data) -> Bool { ["1", "ended"].contains(firstWord(of: bytes)) }

    private static func firstWord(of bytes: Data) -> String {
        String(String(decoding: bytes, as: UTF8.self).divided(at: " ").before)
    }
}

extension StoredEntry.Owner {
    /// The changes that record the end of every login of the owner.
    ///
    /// No login is newer than this record yet.
    var endingEveryLogin: [StorageChange] {
        [.removeAll(under: newerLogins), .put(.endOfEveryLogin(self), LogoutNote().bytes)]
    }
}

extension EntitlementReading {
    /// Returns the owners whose viewers have ever begun to log in at a service that stores the logins.
    ///
    /// Such a service may have a login that was never stored here, because the app was closed before the viewer came
    /// back, or because the viewer typed a code that was no longer on the screen.
    func ownersOfBegunLogins() throws(StorageError) -> [StoredEntry.Owner] {
        try values.keys(under: StoredEntry.begunLogins).compactMap { key in
            if case .begunLogin(let owner) = StoredEntry(key) { owner } else { nil }
        }
    }
}
