import TVEModels

/// The current world with its active faults, which may change while the sandbox runs.
package final class CurrentWorld: Sendable {
    private let present: Guarded<(world: SandboxWorld, version: Int)>

    init(_ world: SandboxWorld) {
        // The versions do not begin at 1, so that a page that is still open does not take those of an earlier sandbox
        // for these.
        present = Guarded((world, Int.random(in: 1...1_000_000_000)))
    }

    package var world: SandboxWorld { present.withLock(\.world) }

    /// The world and its version, which grows with every change and whenever a fault is counted down.
    package var versioned: (world: SandboxWorld, version: Int) { present.withLock { $0 } }

    /// Replaces the world.
    ///
    /// - Throws: `SandboxWorldError` for an invalid world. The current world then stays as it is.
    package func apply(_ world: SandboxWorld) throws(SandboxWorldError) {
        try change { $0 = world }
    }

    /// Changes the world, unless somebody else has changed it before.
    ///
    /// - Parameters:
    ///   - version: the version that the caller has seen; `nil` for any.
    ///   - body: the closure that changes the world.
    /// - Returns: the new version; `nil` when the world no longer has the version that the caller has seen.
    /// - Throws: `SandboxWorldError` when the world would become invalid. The current world then stays as it is.
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

    /// The world for a request, with the faults that apply to it.
    struct Taken {
        /// The world with the faults.
        let world: SandboxWorld
        /// The world without the faults.
        let plain: SandboxWorld
        let faults: [SandboxWorld.Fault]
    }

    /// Returns the world for a request with the faults that apply to it.
    ///
    /// Faults with a number of requests are counted down.
    ///
    /// - Parameters:
    ///   - step: the step of the request.
    ///   - isReplay: a Boolean value that indicates whether the sandbox sends the request to itself, so that no fault
    ///     of a connection applies to it.
    ///   - device: the closure that returns the device of the request. It is called only when a fault names a device.
    ///   - resources: the closure that returns the resources of the request. It is called only when a fault names a
    ///     resource.
    func take(
        _ step: ServiceStep, isReplay: Bool, device: () -> String?, resources: () -> [String]
    ) -> Taken {
        let world = world
        guard !world.faults.isEmpty else { return Taken(world: world, plain: world, faults: []) }
        let deviceID = world.faults.contains { $0.device != nil } ? device() : nil
        let named = world.faults.contains { $0.kind == .rewritten && $0.resource != nil } ? resources() : []
        return present.withLock { present in
            var world = present.world
            let concerned = world.faults.indices.filter { index in
                let fault = world.faults[index]
                guard !isReplay || !fault.kind.isOfConnection else { return false }
                return Self.happens(fault, at: step, to: deviceID) && Self.concerns(fault, named)
            }
            // A fault that waits for earlier requests to pass counts this one, and does not apply to it.
            let waiting = concerned.filter { world.faults[$0].waits }
            let applicable = concerned.filter { !world.faults[$0].waits }
            for index in waiting { world.faults[index].after? -= 1 }
            let faults = applicable.map { world.faults[$0] }
            let plain = present.world
            let changed = faults.reduce(world) { $0.applying($1) }
            for index in applicable { world.faults[index].requests? -= 1 }
            world.faults.removeAll { $0.requests.map { $0 <= 0 } ?? false }
            if world != present.world { present = (world, present.version + 1) }
            return Taken(world: changed, plain: plain, faults: faults)
        }
    }

    /// Returns a Boolean value that indicates whether a fault applies to a request for some resources.
    ///
    /// Only a rewritten answer depends on them. A denial decides about each resource itself.
    private static func concerns(_ fault: SandboxWorld.Fault, _ resources: [String]) -> Bool {
        guard fault.kind == .rewritten, let wanted = fault.resource else { return true }
        return resources.contains { $0.isSameBytesIgnoringASCIICase(as: wanted) }
    }

    private static func happens(_ fault: SandboxWorld.Fault, at step: ServiceStep, to deviceID: String?) -> Bool {
        if let device = fault.device, !device.isSameBytes(as: deviceID ?? "") { return false }
        if let wanted = fault.step { return wanted == step.id }
        if let steps = fault.kind.steps { return steps.contains(step.id) }
        // An error code of REST API v2 applies to no other request, and only the requests to which it applies are
        // counted.
        switch fault.kind {
        case .error: return step.dialect == .restV2
        case .sessionOver: return ["authorize", "preauthorize"].contains(step.id) || step.endsSessions
        default: return step.sender == .app && step.dialect != .sandbox
        }
    }
}
