import FlyingFox
import Foundation

/// The faults of one request, which change either the state that answers it or the answer itself.
struct AppliedFaults {
    let faults: [SandboxWorld.Fault]
    let step: ServiceStep

    /// Returns the state with the faults applied.
    func state(_ state: SandboxState) -> SandboxState {
        var state = state
        state.faults = faults
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

    /// The answer that replaces the real one; `nil` when the service answers the request itself.
    var replacement: HTTPResponse? {
        for fault in faults {
            switch fault.kind {
            case .status: return .status(fault.amount ?? 503)
            case .throttled: return Throttle.refusal
            case .captivePortal: return .html(Self.portal)
            case .sessionOver where step.endsSessions: return .pendingLogout(1)
            default: break
            }
        }
        return nil
    }

    /// Returns the answer with the faults applied.
    func send(_ reply: SandboxReply) -> SandboxReply {
        var reply = reply
        for fault in faults {
            switch fault.kind {
            case .delay: reply.delay += fault.amount ?? 0
            case .dropped: reply.manner = .dropped
            case .cutBody: reply.manner = .cut
            case .slowBody: reply.manner = .slow(fault.amount ?? 1)
            case .rewritten:
                if let status = fault.amount {
                    reply.response.statusCode = HTTPResponse.status(status).statusCode
                }
                if let body = fault.body { reply.body = Data(body.utf8) }
                // The rewritten answer no longer contains the decision, so the header about the decision is removed.
                reply.response.headers[HTTPHeader(Denial.header)] = nil
            case .garbledBody: reply.body = Data(reply.body.map { $0 ^ 0x15 })
            default: break
            }
        }
        return reply
    }

    private static let portal = """
        <!DOCTYPE html><html><head><title>Welcome</title></head><body><h1>Welcome to our network</h1>
        <p>Please accept the terms to go on.</p></body></html>
        """
}

extension ServiceStep {
    /// A Boolean value that indicates whether the answer at this step reports an ended login as `pendingLogout`.
    var endsSessions: Bool {
        [
            "authorizeWeb", "authorizeDevice", "mediaTokenWeb", "mediaTokenDevice", "preauthorizeClassic",
        ].contains(id)
    }
}
