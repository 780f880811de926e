import Foundation
import TVEModels

/// The unfinished logouts: logins that were removed here and that a service may still keep.
///
/// As long as there are any, the service's answer that the viewer is logged in with one of these providers does not
/// count.
public struct UnfinishedLogouts: Sendable, Hashable {
    /// Providers whose login the viewer ended, and the service was not told.
    public var pending: [String] = []
    /// Providers whose login the service itself ended: the viewer's next login must be a new one.
    public var ended: [String] = []
    /// Whether the viewer ended every login, with any provider.
    public var isOfEveryLogin = false
    /// Providers of logins that were made since then, and are not included.
    public var newer: [String] = []
    /// The notes as they were read, so that a later note with the same key is not taken for one of these.
    var notes: [StorageKey: Data] = [:]

    /// Whether nothing is left to do.
    public var isEmpty: Bool { pending.isEmpty && ended.isEmpty && !isOfEveryLogin }

    /// Whether a login with a provider is concerned.
    ///
    /// - Parameter mvpdID: the TV provider.
    public func concerns(_ mvpdID: String) -> Bool {
        isOfEveryLogin && !newer.contains(bytesOf: mvpdID) || pending.contains(bytesOf: mvpdID)
            || ended.contains(bytesOf: mvpdID)
    }
}
