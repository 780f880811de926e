import TVEModels

extension SandboxWorld {
    /// Why a fault is invalid in this world, as the name of the wrong field; nil when it is valid.
    func problem(_ fault: Fault) -> String? {
        let amounts: ClosedRange<Int>? =
            switch fault.kind {
            case .delay, .slowBody: 1...600_000
            case .status: 200...599
            case .wrongClock: -31_536_000...31_536_000
            default: nil
            }
        if let amounts {
            guard let amount = fault.amount, amounts.contains(amount) else { return "amount" }
        } else if fault.amount != nil {
            return "amount"
        }
        switch fault.kind {
        case .error:
            guard let code = fault.code, EnhancedErrorRow.of(code) != nil else { return "code" }
        case .degraded:
            guard let code = fault.code, Provider.Degradation(rawValue: code) != nil else { return "code" }
        default: if fault.code != nil { return "code" }
        }
        if let step = fault.step, ServiceStep.named(step) == nil { return "step" }
        if let step = fault.step, fault.kind == .error, Behavior.RESTv2.Endpoint(rawValue: step) == nil {
            return "step"
        }
        if let id = fault.provider, provider(id) == nil { return "provider" }
        if fault.resource != nil, fault.kind != .denied { return "resource" }
        if fault.device?.isEmpty == true { return "device" }
        if let requests = fault.requests, !(1...100_000).contains(requests) { return "requests" }
        return nil
    }

    /// The world with a fault applied; faults of the connection change nothing here.
    func applying(_ fault: Fault) -> SandboxWorld {
        var world = self
        switch fault.kind {
        case .error:
            let endpoints = fault.step.map { [$0] } ?? Behavior.RESTv2.Endpoint.allCases.map(\.rawValue)
            for endpoint in endpoints { world.behavior.restV2.forcedErrors[endpoint] = fault.code }
        case .sessionOver:
            for endpoint in ["authorize", "preauthorize"] {
                world.behavior.restV2.forcedErrors[endpoint] = "authenticated_profile_invalidated"
            }
        case .denied:
            for index in world.viewers.indices {
                world.viewers[index].resources.removeAll {
                    fault.resource == nil || $0.isSameBytesIgnoringASCIICase(as: fault.resource ?? "")
                }
            }
        case .degraded:
            world.changeProviders(fault.provider) { $0.degradation = fault.code.flatMap(Provider.Degradation.init) }
        case .unreachable:
            world.changeProviders(fault.provider) { $0.isUnreachable = true }
        default: break
        }
        return world
    }

    private mutating func changeProviders(_ id: String?, _ change: (inout Provider) -> Void) {
        for index in providers.indices where id == nil || providers[index].id.isSameBytes(as: id ?? "") {
            change(&providers[index])
        }
    }
}
