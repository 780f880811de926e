import Foundation
import TVEModels

/// The faults that have changed an exchange, recorded where they change it.
///
/// A fault that applies to a request does not always change its exchange. For example, a fault that denies a resource
/// changes nothing for a viewer whose plan does not include the resource.
final class FaultEffects: Sendable {
    private let places = Guarded<Set<Int>>([])

    /// The faults that have changed the exchange so far, as indices of the request's faults.
    var noted: Set<Int> { places.withLock { $0 } }

    func note(_ place: Int) { places.withLock { _ = $0.insert(place) } }

    /// Removes faults whose effect another fault has hidden.
    func forget(_ hidden: Set<Int>) { places.withLock { $0.subtract(hidden) } }
}

extension SandboxState {
    /// The world without the faults of this request.
    private var plain: SandboxWorld { plainWorld ?? world }

    /// Records the faults of a kind that have changed the answer to this request.
    ///
    /// - Parameters:
    ///   - kind: the kind of the faults.
    ///   - concerns: the closure that returns whether a fault of this kind concerns what has changed.
    func note(_ kind: SandboxWorld.Fault.Kind, where concerns: (SandboxWorld.Fault) -> Bool = { _ in true }) {
        for place in faults.indices where faults[place].kind == kind && concerns(faults[place]) { effects?.note(place) }
    }

    /// Records the faults of a kind that have changed the answer about a TV provider.
    private func note(_ kind: SandboxWorld.Fault.Kind, at provider: MVPDID) {
        note(kind) { $0.provider == nil || $0.provider == provider }
    }

    /// Returns a Boolean value that indicates whether a rule decides instead of a provider, and records a fault that
    /// makes the difference.
    func isDegraded(_ provider: SandboxWorld.Provider?, to rule: SandboxWorld.Provider.Degradation) -> Bool {
        let isDegraded = provider?.degradation == rule
        if let provider, isDegraded != (plain.provider(provider.id)?.degradation == rule) {
            note(.degraded, at: provider.id)
        }
        return isDegraded
    }

    /// Returns a Boolean value that indicates whether a fault has degraded a provider so that it denies everything.
    func isDenyingByFault(_ provider: MVPDID) -> Bool {
        plain.provider(provider)?.degradation != .authorizeNone
    }

    /// Returns a Boolean value that indicates whether the service cannot reach a provider, and records a fault that
    /// makes the difference.
    func isUnreachable(_ provider: SandboxWorld.Provider?) -> Bool {
        let isUnreachable = provider?.isUnreachable == true
        if let provider, isUnreachable == isUnreachableByFault(provider.id) {
            note(.unreachable, at: provider.id)
        }
        return isUnreachable
    }

    /// Returns a Boolean value that indicates whether the service could reach a provider without the faults.
    func isUnreachableByFault(_ provider: MVPDID) -> Bool { plain.provider(provider)?.isUnreachable != true }

    /// Returns a Boolean value that indicates whether a viewer may watch a channel, and records a fault that denies it.
    func isIncluded(_ channel: String, for viewer: String) -> Bool {
        if Self.includes(channel, world.viewer(viewer)) { return true }
        if Self.includes(channel, plain.viewer(viewer)) {
            note(.denied) { $0.resource?.isSameBytesIgnoringASCIICase(as: channel) != false }
        }
        return false
    }

    /// Returns a Boolean value that indicates whether the viewer of a login could watch a channel without the faults.
    func isDeniedByFault(_ channel: String, to login: Login) -> Bool {
        login.viewer.map { Self.includes(channel, plain.viewer($0)) } ?? false
    }

    private static func includes(_ channel: String, _ viewer: SandboxWorld.Viewer?) -> Bool {
        // The ids compare without regard to case (wire protocol, preauthorize), and otherwise byte by byte.
        viewer?.resources.contains { $0.isSameBytesIgnoringASCIICase(as: channel) } == true
    }

    /// Records the fault that forces an error on an endpoint.
    ///
    /// - Returns: a Boolean value that indicates whether a fault forces the error, and not a setting of the service.
    @discardableResult
    func noteForcedError(at endpoint: SandboxWorld.Behavior.RESTv2.Endpoint) -> Bool {
        let name = endpoint.rawValue
        let code = world.behavior.restV2.forcedErrors[name]
        guard code != plain.behavior.restV2.forcedErrors[name] else { return false }
        // The last fault replaces the codes of those before it.
        let last = faults.lastIndex { fault in
            switch fault.kind {
            case .error: fault.step == nil || fault.step == name
            case .sessionOver: endpoint == .authorize || endpoint == .preauthorize
            default: false
            }
        }
        if let last { effects?.note(last) }
        return last != nil
    }

    // MARK: - The service's clock

    /// Records a wrong clock whose time is part of the answer.
    func noteClock() { if clockOffset != 0 { note(.wrongClock) } }

    /// Returns the conclusion of a check at the service's time, and records a wrong clock that changes it.
    func judge(_ check: (Date) -> Bool) -> Bool {
        let time = serviceTime
        let conclusion = check(time)
        if conclusion != check(time.addingTimeInterval(-clockOffset)) { note(.wrongClock) }
        return conclusion
    }

    /// Looks something up in the tables at the service's time, and records a wrong clock that hides it or shows it.
    func find<Value: Sendable>(_ look: (Tables, Date) -> Value?) -> Value? {
        let time = serviceTime
        let right = time.addingTimeInterval(-clockOffset)
        return withTables { tables, _ in
            let found = look(tables, time)
            if clockOffset != 0, (found == nil) != (look(tables, right) == nil) { note(.wrongClock) }
            return found
        }
    }
}
