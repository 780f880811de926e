import Foundation
import TVEModels

/// The decision whether a viewer may watch a channel, independent of the dialect.
enum Verdict {
    case allowed
    /// The provider denies the channel, with this text.
    case deniedByProvider(String)
    /// The service denies the channel with the provider's text, because the provider has denied it too often in a row.
    case deniedRepeatedly(String)
    case deniedByDegradation
    case providerUnreachable
    case trialIsOver(Trial.Limit)

    /// Decides whether a viewer may watch a channel.
    ///
    /// - Parameter isForReal: a Boolean value that indicates whether the viewer is about to watch. Only then does the
    ///   time of a TempPass start, and only then is a denial counted.
    init(
        of channel: String, for login: Login, at provider: SandboxWorld.Provider?, in state: SandboxState,
        isForReal: Bool = true
    ) {
        if state.isDegraded(provider, to: .authorizeNone) {
            self = .deniedByDegradation
        } else if state.isDegraded(provider, to: .authorizeAll) {
            self = .allowed
        } else {
            self = Self.decision(about: channel, for: login, at: provider, in: state, isForReal: isForReal)
        }
    }

    private static func decision(
        about channel: String, for login: Login, at provider: SandboxWorld.Provider?, in state: SandboxState,
        isForReal: Bool
    ) -> Verdict {
        // A TempPass and the login of a degraded provider involve no provider.
        if login.viewer != nil, state.isUnreachable(provider) { return .providerUnreachable }
        if case .tempPass(let holder) = login.subject {
            let limit =
                isForReal
                ? Trials.denial(of: channel, holder: holder, login: login, in: state)
                : Trials.limit(of: channel, holder: holder, login: login, in: state)
            return limit.map(Verdict.trialIsOver) ?? .allowed
        }
        guard isForReal else {
            return providerDenial(of: channel, for: login, in: state).map(Verdict.deniedByProvider) ?? .allowed
        }
        let key = DeniedResource(sessionIndex: ExactText(login.sessionIndex), resource: ExactText(channel))
        guard let reason = providerDenial(of: channel, for: login, in: state) else {
            state.withTables { tables, _ in tables.denials[key] = nil }
            return .allowed
        }
        let count = state.withTables { $0.countDenial(of: key, at: $1) }
        let isRepeated = provider?.denialsBeforeRefusal.map { count > $0 } ?? false
        return isRepeated ? .deniedRepeatedly(reason) : .deniedByProvider(reason)
    }

    /// Returns the provider's text about a denial; `nil` when the viewer may watch the channel.
    static func providerDenial(of channel: String, for login: Login, in state: SandboxState) -> String? {
        // A TempPass allows every channel.
        guard let name = login.viewer else { return nil }
        if state.isIncluded(channel, for: name) { return nil }
        let text = state.world.viewer(name)?.upsell?.first { $0.key.isSameBytes(as: channel) }?.value
        return text ?? "Your plan does not include \(channel)."
    }

    var details: String {
        switch self {
        case .allowed: ""
        case .deniedByProvider(let text), .deniedRepeatedly(let text): text
        case .deniedByDegradation: "The TV provider is not available."
        case .providerUnreachable: "The TV provider did not answer."
        case .trialIsOver(.time): "The temporary pass has expired."
        case .trialIsOver(.resources(let limit)): "The temporary pass opens no more than \(limit) resources."
        }
    }
}
