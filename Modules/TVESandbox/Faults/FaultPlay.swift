import FlyingFox
import Foundation

/// What faults do to one request: before it is answered, and to the answer.
struct FaultPlay {
    let faults: [SandboxWorld.Fault]
    let step: ServiceStep

    /// The state as the faults make it.
    func state(_ state: SandboxState) -> SandboxState {
        var state = state
        for fault in faults {
            switch fault.kind {
            case .wrongClock: state.clockOffset += TimeInterval(fault.amount ?? 0)
            case .badSignature: state.signsWrongly = true
            default: break
            }
        }
        return state
    }

    /// An answer in place of the real one; nil when the request is answered as ever.
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

    /// The answer as it is sent.
    func send(_ reply: SandboxReply) -> SandboxReply {
        var reply = reply
        for fault in faults {
            switch fault.kind {
            case .delay: reply.delay += fault.amount ?? 0
            case .dropped: reply.manner = .dropped
            case .cutBody: reply.manner = .cut
            case .slowBody: reply.manner = .slow(fault.amount ?? 1)
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
