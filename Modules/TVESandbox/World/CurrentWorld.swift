import TVEModels

/// The current world, which may change while the sandbox runs, and its active faults.
package final class CurrentWorld: Sendable {
    private let present: Guarded<SandboxWorld>

    init(_ world: SandboxWorld) {
        present = Guarded(world)
    }

    package var world: SandboxWorld { present.withLock(\.self) }

    /// Replaces the current world.
    ///
    /// - Throws: `SandboxWorldError` for an invalid world; then nothing is changed.
    package func apply(_ world: SandboxWorld) throws(SandboxWorldError) {
        try world.validate()
        present.withLock { $0 = world }
    }

    /// Changes the current world.
    ///
    /// - Throws: `SandboxWorldError` when it would become invalid; then nothing is changed.
    package func change(_ body: (inout SandboxWorld) -> Void) throws(SandboxWorldError) {
        let problem = present.withLock { world -> SandboxWorldError? in
            var changed = world
            body(&changed)
            do throws(SandboxWorldError) { try changed.validate() } catch { return error }
            world = changed
            return nil
        }
        if let problem { throw problem }
    }

    /// The world for a request, and the faults that apply to it; faults with a number of requests are counted down.
    ///
    /// - Parameters:
    ///   - step: the purpose of the request.
    ///   - device: returns the device of the request; called only when a fault is about one.
    func take(_ step: ServiceStep, device: () -> String?) -> (SandboxWorld, [SandboxWorld.Fault]) {
        let world = world
        guard !world.faults.isEmpty else { return (world, []) }
        let deviceID = world.faults.contains { $0.device != nil } ? device() : nil
        return present.withLock { world in
            var hits = world.faults.indices.filter { Self.happens(world.faults[$0], step, deviceID) }
            hits.removeAll { index in
                guard let after = world.faults[index].after, after > 0 else { return false }
                world.faults[index].after = after - 1
                return true
            }
            let faults = hits.map { world.faults[$0] }
            let taken = faults.reduce(world) { $0.applying($1) }
            for index in hits { world.faults[index].requests? -= 1 }
            world.faults.removeAll { $0.requests.map { $0 <= 0 } ?? false }
            return (taken, faults)
        }
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
