public import AccessEnabler
public import Foundation
import TVEModels

/// A delegate that records every callback and lets a test wait for them.
public final class CallbackRecorder: NSObject, EntitlementDelegate, EntitlementStatus, Sendable {
    private struct State {
        var callbacks: [ClassicCallback] = []
        var providers: [MVPD] = []
        var taken = 0
        var waiting: Wait?
        var reaction: (@Sendable (ClassicCallback) -> Void)?
        /// The number of waits so far, which is the number of the last one.
        var waits = 0
    }

    private struct Wait {
        let number: Int
        let continuation: CheckedContinuation<ClassicCallback?, Never>
    }

    private let state = Guarded(State())

    /// Creates an empty recorder.
    public override init() {}

    /// The callbacks so far, in their order.
    public var callbacks: [ClassicCallback] { state.withLock(\.callbacks) }

    /// The TV providers that the app has received with the picker or with `selectedProvider` so far, in their order.
    public var providers: [MVPD] { state.withLock(\.providers) }

    /// Sets the code that an app runs inside its callbacks.
    ///
    /// - Parameter reaction: the closure that every further callback runs before it returns; `nil` selects none.
    public func react(_ reaction: (@Sendable (ClassicCallback) -> Void)?) {
        state.withLock { $0.reaction = reaction }
    }

    /// Returns the next callback that was not taken yet, and waits for it if necessary.
    ///
    /// Only one task may wait at a time.
    ///
    /// - Parameters:
    ///   - limit: the longest time to wait.
    ///   - isolation: the isolation of the caller, which may be the main actor.
    /// - Returns: the callback, or `nil` if none arrived in time.
    public func next(
        within limit: Duration = .seconds(60), isolation: isolated (any Actor)? = #isolation
    ) async -> ClassicCallback? {
        var deadline: Task<Void, any Error>?
        defer { deadline?.cancel() }
        return await withCheckedContinuation { continuation in
            let (ready, number) = state.withLock { state -> (ClassicCallback?, Int) in
                if state.taken < state.callbacks.count {
                    state.taken += 1
                    return (state.callbacks[state.taken - 1], state.waits)
                }
                state.waits += 1
                state.waiting = Wait(number: state.waits, continuation: continuation)
                return (nil, state.waits)
            }
            if let ready { return continuation.resume(returning: ready) }
            // A deadline that passed before the wait began would end nothing.
            deadline = Task {
                try await Task.sleep(for: limit)
                giveUp(number)
            }
        }
    }

    /// Takes callbacks up to and including the first matching one.
    ///
    /// - Parameters:
    ///   - fits: a closure that returns a Boolean value that indicates whether a callback matches.
    ///   - limit: the longest time to wait for each callback.
    ///   - isolation: the isolation of the caller, which may be the main actor.
    /// - Returns: the callbacks in their order; the last one matches, unless the limit was reached first.
    public func callbacks(
        until fits: (ClassicCallback) -> Bool, within limit: Duration = .seconds(60),
        isolation: isolated (any Actor)? = #isolation
    ) async -> [ClassicCallback] {
        var taken: [ClassicCallback] = []
        while let callback = await next(within: limit) {
            taken.append(callback)
            if fits(callback) { break }
        }
        return taken
    }

    /// Ends a wait, unless it has ended already.
    private func giveUp(_ number: Int) {
        let continuation = state.withLock { state -> CheckedContinuation<ClassicCallback?, Never>? in
            guard let waiting = state.waiting, waiting.number == number else { return nil }
            state.waiting = nil
            return waiting.continuation
        }
        continuation?.resume(returning: nil)
    }

    private func record(_ callback: ClassicCallback) {
        let waiting = state.withLock { state -> CheckedContinuation<ClassicCallback?, Never>? in
            state.callbacks.append(callback)
            guard let waiting = state.waiting else { return nil }
            state.waiting = nil
            state.taken += 1
            return waiting.continuation
        }
        waiting?.resume(returning: callback)
        state.withLock(\.reaction)?(callback)
    }

    // MARK: - EntitlementDelegate

    /// Records the callback.
    nonisolated public func setRequestorComplete(_ status: Int32) { record(.requestorComplete(status)) }

    /// Records the callback.
    nonisolated public func setAuthenticationStatus(_ status: Int32, errorCode code: String!) {
        record(.authenticationStatus(status, code: code))
    }

    /// Records the callback.
    nonisolated public func displayProviderDialog(_ mvpds: [Any]!) {
        let providers = (mvpds ?? []).compactMap { $0 as? MVPD }
        state.withLock { $0.providers += providers }
        record(.providerDialog(providers.map(\.id)))
    }

    /// Records the callback.
    nonisolated public func navigate(toUrl url: String!) { record(.navigate(url)) }

    /// Records the callback.
    nonisolated public func navigate(toUrl url: String!, useSVC: Bool) {
        record(.navigateInSafari(url, useSVC: useSVC))
    }

    /// Records the callback.
    nonisolated public func presentTvProviderDialog(_ viewController: PlatformViewController!) {
        record(.presentPlatformDialog(viewController.map(ObjectIdentifier.init)))
    }

    /// Records the callback.
    nonisolated public func dismissTvProviderDialog(_ viewController: PlatformViewController!) {
        record(.dismissPlatformDialog(viewController.map(ObjectIdentifier.init)))
    }

    /// Records the callback.
    nonisolated public func preauthorizedResources(_ resources: [Any]!) {
        record(.preauthorizedResources((resources ?? []).map { "\($0)" }))
    }

    /// Records the callback.
    nonisolated public func setMetadataStatus(
        _ metadata: Any!, encrypted: Bool, forKey key: Int32, andArguments arguments: [AnyHashable: Any]!
    ) {
        record(
            .metadata(
                (metadata as Any?).map { Self.text($0) }, encrypted: encrypted, key: key,
                arguments: Self.texts(arguments)))
    }

    /// Records the callback.
    nonisolated public func selectedProvider(_ mvpd: MVPD!) {
        if let mvpd { state.withLock { $0.providers.append(mvpd) } }
        record(.selectedProvider(mvpd?.id))
    }

    /// Records the callback.
    nonisolated public func setToken(_ token: String!, forResource resource: String!) {
        record(.token(token, resource: resource))
    }

    /// Records the callback.
    nonisolated public func tokenRequestFailed(
        _ resource: String!, errorCode code: String!, errorDescription description: String!
    ) {
        record(.tokenRequestFailed(resource: resource, code: code, description: description))
    }

    /// Records the callback.
    nonisolated public func sendTrackingData(_ data: [Any]!, forEventType event: Int32) {
        record(.tracking((data ?? []).map { "\($0)" }, event: event))
    }

    // MARK: - EntitlementStatus

    /// Records the callback.
    nonisolated public func status(_ statusDictionary: [AnyHashable: Any]!) {
        var entries = Self.texts(statusDictionary)
        let id = entries.removeValue(forKey: "errorId") ?? ""
        let level = entries.removeValue(forKey: "level") ?? ""
        let message = entries.removeValue(forKey: "message")
        record(.status(id: id, level: level, message: message, further: entries))
    }

    // MARK: - Values as strings

    private static func texts(_ values: [AnyHashable: Any]?) -> [String: String] {
        var texts: [String: String] = [:]
        for (key, value) in values ?? [:] { texts["\(key)"] = text(value) }
        return texts
    }

    /// Returns a value as Swift prints it, but with the keys of a dictionary sorted, so that a test can compare it.
    private static func text(_ value: Any, isNested: Bool = false) -> String {
        switch value {
        case let text as String: return isNested ? "\"\(text)\"" : text
        case let values as [Any]: return "[\(values.map { text($0, isNested: true) }.joined(separator: ", "))]"
        case let values as [AnyHashable: Any]:
            let entries = values.map { (key: "\($0.key)", text: text($0.value, isNested: true)) }
                .sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.text)" }
            return "[\(entries.joined(separator: ", "))]"
        default: return "\(value)"
        }
    }
}
