import TVEModels

/// The current world, which may change while the sandbox runs, and its active faults.
package final class CurrentWorld: Sendable {
    private let present: Guarded<(world: SandboxWorld, version: Int)>

    init(_ world: SandboxWorld) {
        // Not from 1: a page that is still open must not take the versions of a sandbox before for those of this one.
        present = Guarded((world, Int.random(in: 1...1_000_000_000)))
    }

    package var world: SandboxWorld { present.withLock(\.world) }

    /// The world and its version, which grows with every change, also when a fault is counted down.
    package var versioned: (world: SandboxWorld, version: Int) { present.withLock { $0 } }

    /// - Throws: `SandboxWorldError` for an invalid world; then nothing is changed.
    package func apply(_ world: SandboxWorld) throws(SandboxWorldError) {
        try change { $0 = world }
    }

    /// - Parameter version: the version for which the change is meant; nil for any.
    /// - Returns: the new version; nil when the world has another version than the change is meant for.
    /// - Throws: `SandboxWorldError` when it would become invalid; then nothing is changed.
    @discardableResult
    package func change(
        at version: Int? = nil, _ body: (inout SandboxWorld) -> Void
    ) throws(SandboxWorldError) -> Int? {
        let outcome = present.withLock { present -> Result<Int?, SandboxWorldError> in
            guard version == nil || version == present.version else { return .success(nil) }
            var changed = present.world
            body(&changed)
            do throws(SandboxWorldError) { try changed.validate() } catch { return .failure(error) }
            present = (changed, present.version + 1)
            return .success(present.version)
        }
        return try outcome.get()
    }

    /// The world for a request, and the faults that apply to it; faults with a number of requests are counted down.
    ///
    /// - Parameters:
    ///   - step: the purpose of the request.
    ///   - device: returns the device of the request; called only when a fault is about one.
    ///   - resources: returns the resources of the request; called only when a fault is about one.
    func take(
        _ step: ServiceStep, device: () -> String?, resources: () -> [String]
    ) -> (SandboxWorld, [SandboxWorld.Fault]) {
        let world = world
        guard !world.faults.isEmpty else { return (world, []) }
        let deviceID = world.faults.contains { $0.device != nil } ? device() : nil
        let named = world.faults.contains { $0.kind == .rewritten && $0.resource != nil } ? resources() : []
        return present.withLock { present in
            var world = present.world
            var hits = world.faults.indices.filter { index in
                Self.happens(world.faults[index], step, deviceID) && Self.concerns(world.faults[index], named)
            }
            hits.removeAll { index in
                guard let after = world.faults[index].after, after > 0 else { return false }
                world.faults[index].after = after - 1
                return true
            }
            let faults = hits.map { world.faults[$0] }
            let taken = faults.reduce(world) { $0.applying($1) }
            for index in hits { world.faults[index].requests? -= 1 }
            world.faults.removeAll { $0.requests.map { $0 <= 0 } ?? false }
            if world != present.world { present = (world, present.version + 1) }
            return (taken, faults)
        }
    }

    /// Whether a fault is about the resources of a request; a denial decides about each of them itself.
    private static func concerns(_ fault: SandboxWorld.Fault, _ resources: [String]) -> Bool {
        guard fault.kind == .rewritten, let wanted = fault.resource else { return true }
        return resources.contains { $0.isSameBytesIgnoringASCIICase(as: wanted) }
    }

    private static func happens(_ fault: SandboxWorld.Fault, _ step: ServiceStep, _ deviceID: String?) -> Bool {
        if let device = fault.device, !device.isSameBytes(as: deviceID ?? "") { return false }
        if let wanted = fault.step { return wanted == step.id }
        if let steps = fault.kind.steps { return steps.contains(step.id) }
        // An error code of REST API v2 applies to no other request, and only requests to which it applies are counted.
        switch fault.kind {
        case .error: return step.dialect == .restV2
        case .sessionOver: return ["authorize", "preauthorize"].contains(step.id) || step.endsSessions
        default: return step.sender == .app && step.dialect != .sandbox
        }
    }
}
