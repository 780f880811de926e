import TVEModels

/// The current world with its active faults, which may change while the sandbox runs.
package final class CurrentWorld: Sendable {
    private struct Present {
        var world: SandboxWorld
        var version: Int
        /// The faults with a number of requests that apply to unanswered requests, once for each of those requests.
        var taken: [SandboxWorld.Fault] = []

        /// Returns a Boolean value that indicates whether a fault still happens to another request.
        func isLeft(_ fault: SandboxWorld.Fault) -> Bool {
            guard let requests = fault.requests else { return true }
            return taken.count { $0 == fault.uncounted } < requests
        }
    }

    private let present: Guarded<Present>

    init(_ world: SandboxWorld) {
        // The versions do not begin at 1, so that a page that is still open does not take those of an earlier sandbox
        // for these.
        present = Guarded(Present(world: world, version: Int.random(in: 1...1_000_000_000)))
    }

    package var world: SandboxWorld { present.withLock(\.world) }

    /// The world and its version, which grows with every change and whenever a fault is counted down.
    package var versioned: (world: SandboxWorld, version: Int) { present.withLock { ($0.world, $0.version) } }

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
            present.world = changed
            present.version += 1
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
    /// A fault with a number of requests is counted down by ``count(_:changedBy:)``, because only the answer shows
    /// whether the fault has changed it. Until then it applies to no more requests than its number.
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
            // A fault that starts only after some requests counts this request down, and is not applied to it.
            let waiting = concerned.filter { world.faults[$0].waits }
            let applicable = concerned.filter { !world.faults[$0].waits && present.isLeft(world.faults[$0]) }
            for index in waiting { world.faults[index].after? -= 1 }
            let faults = applicable.map { world.faults[$0] }
            let plain = present.world
            let changed = faults.reduce(world) { $0.applying($1) }
            present.taken += faults.filter { $0.requests != nil }.map(\.uncounted)
            if world != present.world {
                present.world = world
                present.version += 1
            }
            return Taken(world: changed, plain: plain, faults: faults)
        }
    }

    /// Counts down the faults with a number of requests that have changed an answer.
    ///
    /// - Parameters:
    ///   - taken: the world for the request.
    ///   - places: the faults that have changed the answer, as indices of the request's faults.
    func count(_ taken: Taken, changedBy places: Set<Int>) {
        guard taken.faults.contains(where: { $0.requests != nil }) else { return }
        present.withLock { present in
            let before = present.world
            for (place, fault) in taken.faults.enumerated() where fault.requests != nil {
                let fault = fault.uncounted
                if let index = present.taken.firstIndex(of: fault) { present.taken.remove(at: index) }
                // Someone may have turned the fault off in the meantime.
                guard places.contains(place),
                    let index = present.world.faults.firstIndex(where: { $0.requests != nil && $0.uncounted == fault })
                else { continue }
                present.world.faults[index].requests? -= 1
                if present.world.faults[index].requests == 0 { present.world.faults.remove(at: index) }
            }
            if present.world != before { present.version += 1 }
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
        // An error code of REST API v2 applies to no other request.
        switch fault.kind {
        case .error: return step.dialect == .restV2
        case .sessionOver: return ["authorize", "preauthorize"].contains(step.id) || step.endsSessions
        default: return step.sender == .app && step.dialect != .sandbox
        }
    }
}
