public import Foundation
public import TVEModels

/// The values beside the tokens: the provider's choice, an unfinished login, answers about sets of resources, and
/// unfinished logouts.
extension EntitlementReading {
    /// Returns the provider that a requestor's viewer chose last.
    ///
    /// - Returns: the MVPD id, or nil if no choice is stored.
    public func currentProvider(of requestorID: RequestorID) throws(StorageError) -> MVPDID? {
        try providerChoice(of: requestorID).mvpdID
    }

    /// Returns a Boolean value that indicates whether the viewer cancelled the choice of provider, so that logins of
    /// other requestors are ignored.
    public func isProviderDeselected(for requestorID: RequestorID) throws(StorageError) -> Bool {
        try providerChoice(of: requestorID).isCancelled
    }

    /// Returns the last choice of a requestor's viewer.
    package func providerChoice(of requestorID: RequestorID) throws(StorageError) -> ProviderChoice {
        guard let kept = try text(at: .currentProvider(owner(requestorID))) else { return .open }
        return kept.isEmpty ? .cancelled : .provider(mvpdID: MVPDID(kept))
    }

    /// Returns the login that was not finished when the session or the app was closed (API reference, row HX7).
    ///
    /// - Returns: the stored bytes, or nil if there is no such login.
    public func pendingLogin(of requestorID: RequestorID) throws(StorageError) -> Data? {
        try values.readableValue(for: StoredEntry.pendingLogin(owner(requestorID)).key)
    }

    /// Returns the service's last answer if it concerns exactly this set of resources (API reference, preauthorization
    /// cache).
    ///
    /// - Parameters:
    ///   - resources: the resources, in any order.
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Returns: the decisions in their stored order, or nil if the last answer concerns another set, is missing or is
    ///   unreadable.
    public func preauthorization(
        of resources: Set<Resource>, requestorID: RequestorID, mvpdID: MVPDID
    ) throws(StorageError) -> [PreauthorizationDecision]? {
        let key = StoredEntry.preauthorization(login(requestorID, mvpdID)).key
        guard let bytes = try values.readableValue(for: key),
            let decisions: [PreauthorizationDecision] = StoredEntry.decoded(bytes),
            Set(decisions.map(\.resource)) == resources
        else { return nil }
        return decisions
    }

    /// Returns the unfinished logouts of a requestor's logins that were removed from this store.
    ///
    /// - Returns: the unfinished logouts. Storing a new login removes the records about it.
    public func unfinishedLogouts(of requestorID: RequestorID) throws(StorageError) -> UnfinishedLogouts {
        var left = UnfinishedLogouts()
        for key in try values.keys(under: owner(requestorID).logouts).sorted() {
            let bytes = try values.readableValue(for: key)
            switch StoredEntry(key) {
            case .endOfEveryLogin: left.isOfEveryLogin = true
            case .newerLogin(let login): left.newer.append(login.mvpdID)
            case .end(let login):
                // An unreadable record is still the record of a logout.
                guard !LogoutNote.isOfEarlierVersions(bytes ?? Data()) else { continue }
                left.pending.append(login.mvpdID)
            default: continue
            }
            left.notes[key] = try values.rawValue(for: key)
        }
        return left
    }
}

/// The last choice of a requestor's viewer in the provider picker.
///
/// A caller that needs both the provider and whether the choice was cancelled reads this value once, because another
/// process may change the choice between two reads.
package enum ProviderChoice: Sendable {
    /// The viewer has not chosen yet.
    case open
    /// The viewer cancelled the choice.
    case cancelled
    /// The viewer chose this TV provider.
    case provider(mvpdID: MVPDID)

    /// The chosen TV provider, or nil if there is none.
    package var mvpdID: MVPDID? { if case .provider(let mvpdID) = self { mvpdID } else { nil } }

    /// A Boolean value that indicates whether the viewer cancelled the choice.
    package var isCancelled: Bool { if case .cancelled = self { true } else { false } }

    /// Returns a Boolean value that indicates whether another requestor's login with this TV provider may be used.
    package func allows(_ mvpdID: MVPDID) -> Bool {
        switch self {
        case .open: true
        case .cancelled: false
        case .provider(let chosen): chosen == mvpdID
        }
    }
}
