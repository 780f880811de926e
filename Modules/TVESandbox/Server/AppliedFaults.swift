import FlyingFox
import Foundation

/// The faults of one request, which change either the state that answers it or the answer itself.
struct AppliedFaults {
    let faults: [SandboxWorld.Fault]
    let step: ServiceStep
    /// The world without the faults; `nil` when an answer is there already.
    var plain: SandboxWorld?
    private let effects = FaultEffects()

    init(_ faults: [SandboxWorld.Fault], at step: ServiceStep, in plain: SandboxWorld? = nil) {
        self.faults = faults
        self.step = step
        self.plain = plain
    }

    /// The faults that have changed the exchange so far, as indices.
    var effective: Set<Int> { effects.noted }

    /// The kinds of faults that have changed the exchange so far, in the order of the faults.
    var effectiveKinds: [SandboxWorld.Fault.Kind] {
        effective.sorted().map { faults[$0].kind }.reduce(into: []) { kinds, kind in
            if !kinds.contains(kind) { kinds.append(kind) }
        }
    }

    /// Returns the state with the faults applied.
    func state(_ state: SandboxState) -> SandboxState {
        guard !faults.isEmpty else { return state }
        var state = state
        state.faults = faults
        state.plainWorld = plain
        state.effects = effects
        for fault in faults {
            switch fault.kind {
            case .wrongClock: state.clockOffset += TimeInterval(fault.amount ?? 0)
            case .badSignature: state.signsWrongly = true
            case .lateProfile: state.scenario.profileDelay = TimeInterval(fault.amount ?? 0)
            case .secondProfile: state.scenario.secondProvider = fault.provider
            case .profileEnded: state.scenario.endsProfiles = true
            case .codeReplaced: state.scenario.replacesCode = true
            default: break
            }
        }
        return state
    }

    /// Returns the answer that replaces the real one, and records its fault.
    ///
    /// - Returns: `nil` when the service answers the request itself.
    func replacement() -> HTTPResponse? {
        for (place, fault) in faults.enumerated() {
            guard let answer = replacement(by: fault) else { continue }
            effects.note(place)
            return answer
        }
        return nil
    }

    private func replacement(by fault: SandboxWorld.Fault) -> HTTPResponse? {
        switch fault.kind {
        case .status: .status(fault.amount ?? 503)
        case .throttled: Throttle.refusal
        case .captivePortal: .html(Self.portal)
        case .sessionOver where step.endsSessions: .pendingLogout(1)
        default: nil
        }
    }

    /// Returns the answer with the faults applied, and records those that have changed it.
    func send(_ reply: SandboxReply) -> SandboxReply { connected(rewritten(reply)) }

    /// Returns the answer with the faults of its status and its body applied.
    private func rewritten(_ reply: SandboxReply) -> SandboxReply {
        var reply = reply
        var places: Set<Int> = []
        for (place, fault) in faults.enumerated() {
            switch fault.kind {
            case .rewritten:
                let changed = reply.rewritten(status: fault.amount, body: fault.body.map { Data($0.utf8) })
                guard let changed else { continue }
                reply = changed
                // Nothing is left of the body that an earlier fault has changed.
                if fault.body != nil { places = [] }
                if fault.body != nil, fault.amount != nil {
                    effects.forget(Set(faults.indices.filter { Self.shownInTheAnswer.contains(faults[$0].kind) }))
                }
                places.insert(place)
            case .garbledBody where !reply.body.isEmpty:
                reply.body = Data(reply.body.map { $0 ^ 0x15 })
                // A second fault of this kind restores the body.
                if let first = places.first(where: { faults[$0].kind == .garbledBody }) {
                    places.remove(first)
                } else {
                    places.insert(place)
                }
            default: break
            }
        }
        for place in places { effects.note(place) }
        return reply
    }

    /// Returns the answer with the faults of its connection applied.
    private func connected(_ reply: SandboxReply) -> SandboxReply {
        var reply = reply
        // The last of the faults that end or slow down the connection replaces the others.
        var last: Int?
        for (place, fault) in faults.enumerated() {
            switch fault.kind {
            case .delay:
                reply.delay += fault.amount ?? 0
                effects.note(place)
            case .dropped:
                reply.delivery = .dropped
                last = place
            // An answer without a body is neither cut nor slow.
            case .cutBody where !reply.body.isEmpty:
                reply.delivery = .cut
                last = place
            case .slowBody where !reply.body.isEmpty:
                reply.delivery = .slow(fault.amount ?? 1)
                last = place
            default: break
            }
        }
        if let last { effects.note(last) }
        return reply
    }

    /// The kinds of faults that change only the content of an answer, so that nothing of them is left when its status
    /// and its body are replaced.
    private static let shownInTheAnswer: Set<SandboxWorld.Fault.Kind> = [
        .error, .denied, .degraded, .unreachable, .badSignature, .lateProfile,
    ]

    private static let portal = """
        <!DOCTYPE html><html><head><title>Welcome</title></head><body><h1>Welcome to our network</h1>
        <p>Please accept the terms to go on.</p></body></html>
        """
}

extension SandboxReply {
    /// Returns the answer with another status and another body; `nil` when it has them already.
    func rewritten(status: Int?, body: Data?) -> SandboxReply? {
        let code = status.map { HTTPResponse.status($0).statusCode } ?? response.statusCode
        let bytes = body ?? self.body
        guard code.code != response.statusCode.code || bytes != self.body else { return nil }
        var reply = self
        reply.response.statusCode = code
        // An answer with one of these statuses has no body (RFC 9112, 6.3). A client would read it as its next answer.
        reply.body = [204, 304].contains(code.code) ? Data() : bytes
        // The new answer no longer contains the decision, so the header about the decision is removed.
        reply.response.headers[HTTPHeader(Denial.header)] = nil
        return reply
    }
}

extension SandboxWorld.Fault.Kind {
    /// A Boolean value that indicates whether the fault happens to the connection of a client, which a request that the
    /// sandbox sends to itself does not have.
    var isOfConnection: Bool { [.delay, .dropped, .cutBody, .slowBody].contains(self) }
}

extension ServiceStep {
    /// A Boolean value that indicates whether the answer at this step reports an ended login as `pendingLogout`.
    var endsSessions: Bool {
        [
            "authorizeWeb", "authorizeDevice", "mediaTokenWeb", "mediaTokenDevice", "preauthorizeClassic",
        ].contains(id)
    }
}
