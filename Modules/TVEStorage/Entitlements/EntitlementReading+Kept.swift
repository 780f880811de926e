public import Foundation
public import TVEModels

/// Values beside the tokens: the provider's choice, a running login, answers about sets of resources, unfinished
/// logouts.
extension EntitlementReading {
    /// The provider that a requestor's viewer chose last.
    ///
    /// - Returns: the MVPD id, or nil when none is remembered.
    public func currentProvider(of requestorID: RequestorID) throws(StorageError) -> MVPDID? {
        try providerChoice(of: requestorID).mvpdID
    }

    /// Whether the viewer cancelled the choice of provider, so that a login of another requestor must not count.
    public func isProviderDeselected(for requestorID: RequestorID) throws(StorageError) -> Bool {
        try providerChoice(of: requestorID).isCancelled
    }

    /// What a requestor's viewer chose last.
    package func providerChoice(of requestorID: RequestorID) throws(StorageError) -> ProviderChoice {
        guard let kept = try text(at: .currentProvider(owner(requestorID))) else { return .open }
        return kept.isEmpty ? .cancelled : .provider(mvpdID: MVPDID(kept))
    }

    /// The login that was running when the app was closed (API reference, row HX7).
    ///
    /// - Returns: the stored bytes, nil when no login is running.
    public func pendingLogin(of requestorID: RequestorID) throws(StorageError) -> Data? {
        try bytes(at: StoredEntry.pendingLogin(owner(requestorID)).key)
    }

    /// The service's last answer about a set of resources, if the question was about exactly this set (API reference,
    /// preauthorization cache).
    ///
    /// - Parameters:
    ///   - resources: the resources, in any order.
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Returns: the decisions in their stored order; nil when the last answer is about another set, is missing or
    ///   cannot be read.
    public func preauthorization(
        of resources: Set<Resource>, requestorID: RequestorID, mvpdID: MVPDID
    ) throws(StorageError) -> [PreauthorizationDecision]? {
        let key = StoredEntry.preauthorization(login(requestorID, mvpdID)).key
        guard let bytes = try bytes(at: key), let decisions: [PreauthorizationDecision] = StoredEntry.decoded(bytes),
            Set(decisions.map(\.resource)) == resources
        else { return nil }
        return decisions
    }

    /// The unfinished logouts of a requestor's logins that were removed from this store.
    ///
    /// - Returns: what is unfinished; storing a new login removes the notes about it.
    public func unfinishedLogouts(of requestorID: RequestorID) throws(StorageError) -> UnfinishedLogouts {
        var left = UnfinishedLogouts()
        for key in try values.keys(under: owner(requestorID).logouts).sorted() {
            let bytes = try bytes(at: key)
            switch StoredEntry(key) {
            case .endOfEveryLogin: left.isOfEveryLogin = true
            case .newerLogin(let login): left.newer.append(login.mvpdID)
            case .end(let login):
                // A note that cannot be read still is about a login.
                guard !LogoutNote.isOfEarlierVersions(bytes ?? Data()) else { continue }
                left.pending.append(login.mvpdID)
            default: continue
            }
            left.notes[key] = try values.rawValue(for: key)
        }
        return left
    }
}

/// What a requestor's viewer chose in the provider picker last.
///
/// Whoever needs both the provider and whether the choice was cancelled reads this once: another process may choose
/// between two reads.
package enum ProviderChoice: Sendable {
    /// Nothing was chosen yet.
    case open
    /// The viewer cancelled the choice.
    case cancelled
    /// This TV provider was chosen.
    case provider(mvpdID: MVPDID)

    /// The chosen TV provider; nil when there is none.
    package var mvpdID: MVPDID? { if case .provider(let mvpdID) = self { mvpdID } else { nil } }

    /// Whether the viewer cancelled the choice.
    package var isCancelled: Bool { if case .cancelled = self { true } else { false } }

    /// Whether a login of another requestor with this TV provider may count.
    package func allows(_ mvpdID: MVPDID) -> Bool {
        switch self {
        case .open: true
        case .cancelled: false
        case .provider(let chosen): chosen == mvpdID
        }
    }
}
