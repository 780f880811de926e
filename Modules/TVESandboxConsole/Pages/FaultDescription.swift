import Crypto
import Foundation
import TVEModels
import TVESandbox

/// The texts that describe a kind of fault: its effect and its source in the documents.
struct FaultDescription: Sendable {
    let about: String
    /// The place in the documents that defines the simulated behaviour.
    let source: String
    /// The unit and a usual value of the fault's amount, or `nil` if the fault has no amount.
    private(set) var amount: (unit: String, usual: Int)?

    init(_ kind: SandboxWorld.Fault.Kind) {
        self =
            switch kind {
            case .delay:
                Self(
                    about: "Every answer is delayed.",
                    source: "Transport: a request that takes longer than its time limit",
                    amount: ("milliseconds", 3_000))
            case .status:
                Self(
                    about: "A status without a body replaces the answer.",
                    source: "Error table: CFG400, CFG404, CFG410, CFG5xx, REG500", amount: ("HTTP status", 503))
            case .throttled:
                Self(
                    about: "HTTP 429 with the page of the throttle replaces the answer.",
                    source: "Throttling: one request a second and a burst of ten; CFG429, Z100, P100")
            case .dropped:
                Self(
                    about: "The connection ends without an answer. On a connection that has served a request before, "
                        + "many clients repeat the request at once, so that an app sees nothing of one lost answer.",
                    source: "Transport: no answer")
            case .cutBody:
                Self(
                    about: "The connection ends after half of the body.",
                    source: "Transport: fewer bytes than announced")
            case .slowBody:
                Self(
                    about: "The body comes in twenty pieces over this time.",
                    source: "Transport: a slow network", amount: ("milliseconds", 5_000))
            case .garbledBody:
                Self(
                    about: "The status is right, but the body cannot be read.",
                    source: "Answers that are not XML or JSON")
            case .captivePortal:
                Self(
                    about: "A hotel's welcome page with HTTP 200 replaces the answer.",
                    source: "Answers that are not XML or JSON")
            case .badSignature:
                Self(
                    about: "New tokens have a wrong signature.",
                    source: "Media token verifier: INVALID_SIGNATURE; services refuse such a token with HTTP 400")
            case .wrongClock:
                Self(
                    about: "The service's clock is ahead by this time, or behind if it is negative.",
                    source: "Error table: CFG100", amount: ("seconds", 7_200))
            case .error:
                Self(
                    about: "An endpoint answers with an error of the table.",
                    source: "REST API v2, 4.3 and 4.4: enhanced error codes")
            case .denied:
                Self(
                    about: "The TV provider denies the resource, whatever the viewer's plan is.",
                    source: "Error table: Z100; REST API v2: authorization_denied_by_mvpd")
            case .degraded:
                Self(
                    about: "The service decides by a rule and does not ask the TV provider.",
                    source: "Degradation: N010, Z010, Z169; REST API v2, 9.5")
            case .unreachable:
                Self(
                    about: "The service cannot ask the TV provider for permission.",
                    source: "Error table: Z120; REST API v2: network_received_error")
            case .sessionOver:
                Self(
                    about: "Permission is refused because the login behind it has ended.",
                    source: "Wire protocol, pendingLogout; REST API v2: authenticated_profile_invalidated")
            case .lateProfile:
                Self(
                    about: "The profile of a code comes this time after the login.",
                    source: "REST API v2, 9.2 and 9.3: a client polls until the code ends", amount: ("seconds", 10))
            case .secondProfile:
                Self(
                    about: "A login gives a profile with this TV provider too.",
                    source: "REST API v2, 5.6: a client copes with several profiles")
            case .profileEnded:
                Self(
                    about: "The profiles of the device end now, before the time that they name.",
                    source: "REST API v2: authenticated_profile_expired")
            case .codeReplaced:
                Self(
                    about: "The code that is polled ends now, as if another one had been made.",
                    source: "REST API v2: invalid_authentication_session")
            case .rewritten:
                Self(
                    about: "Your status and your body replace those of each answer, until you turn it off.",
                    source: "Any answer, also one that no document has", amount: ("HTTP status", 200))
            }
    }

    private init(about: String, source: String, amount: (unit: String, usual: Int)? = nil) {
        self.about = about
        self.source = source
        self.amount = amount
    }
}

extension SandboxWorld.Fault {
    /// The id of a fault in the console, which does not change while the fault's remaining requests are counted down.
    var key: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let bytes = (try? encoder.encode(uncounted)) ?? Data()
        return String(SHA256.hash(data: bytes).hexadecimal.prefix(12))
    }
}
