import TVEModels

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
    case provider(mvpdID: String)

    /// The chosen TV provider; nil when there is none.
    package var mvpdID: String? {
        if case .provider(let mvpdID) = self { mvpdID } else { nil }
    }

    /// Whether the viewer cancelled the choice.
    package var isCancelled: Bool {
        if case .cancelled = self { true } else { false }
    }

    /// Whether a login of another requestor with this TV provider may count.
    package func allows(_ mvpdID: String) -> Bool {
        switch self {
        case .open: true
        case .cancelled: false
        case .provider(let chosen): chosen.isSameBytes(as: mvpdID)
        }
    }
}
