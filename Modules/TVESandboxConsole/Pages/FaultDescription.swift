import Crypto
import Foundation
import TVEModels
import TVESandbox

/// The texts of a kind of fault: its name, its effect and the app's view of it.
struct FaultDescription: Sendable {
    let title: String
    let about: String
    /// The row of the documents that it simulates.
    let source: String
    /// The unit of the amount, and a usual one; nil where there is none.
    private(set) var amount: (unit: String, usual: Int)?

    init(_ kind: SandboxWorld.Fault.Kind) {
        self =
            switch kind {
            case .delay:
                Self(
                    "Late answers", "Every answer is delayed.",
                    "Transport: a request that takes longer than its time limit", ("milliseconds", 3_000))
            case .status:
                Self(
                    "HTTP error", "A status without a body replaces the answer.",
                    "Error table: CFG400, CFG404, CFG410, CFG5xx, REG500", ("HTTP status", 503))
            case .throttled:
                Self(
                    "Too many requests", "HTTP 429 with the page of the throttle replaces the answer.",
                    "Throttling: one request a second, after a burst of ten; CFG429, Z100, P100")
            case .dropped:
                Self("Connection lost", "The connection ends without an answer.", "Transport: no answer")
            case .cutBody:
                Self(
                    "Cut body", "The connection ends after half of the body.",
                    "Transport: fewer bytes than announced")
            case .slowBody:
                Self(
                    "Slow body", "The body comes in twenty pieces over this time.", "Transport: a slow network",
                    ("milliseconds", 5_000))
            case .garbledBody:
                Self(
                    "Garbled body", "The status is right, but the body cannot be read.",
                    "Answers that are not XML or JSON")
            case .captivePortal:
                Self(
                    "Captive portal", "A hotel's welcome page with HTTP 200 replaces the answer.",
                    "Answers that are not XML or JSON")
            case .badSignature:
                Self(
                    "Bad signature", "New tokens have a wrong signature.",
                    "Media token verifier: INVALID_SIGNATURE; services refuse such a token with HTTP 400")
            case .wrongClock:
                Self(
                    "Wrong clock", "The service's clock is ahead by this time, or behind if it is negative.",
                    "Error table: CFG100", ("seconds", 7_200))
            case .error:
                Self(
                    "Error of REST API v2", "An endpoint answers with an error of the table.",
                    "REST API v2, 4.3 and 4.4: enhanced error codes")
            case .denied:
                Self(
                    "Denied resource", "The TV provider denies the resource, whatever the viewer's plan is.",
                    "Error table: Z100; REST API v2: authorization_denied_by_mvpd")
            case .degraded:
                Self(
                    "Degraded provider", "The service decides by a rule and does not ask the TV provider.",
                    "Degradation: N010, Z010, Z169; REST API v2, 9.5")
            case .unreachable:
                Self(
                    "Provider unreachable", "The service cannot ask the TV provider for permission.",
                    "Error table: Z120; REST API v2: network_received_error")
            case .sessionOver:
                Self(
                    "Login ended elsewhere", "Permission is refused because the login behind it has ended.",
                    "Wire protocol, pendingLogout; REST API v2: authenticated_profile_invalidated")
            case .lateProfile:
                Self(
                    "Late profile", "The profile of a code comes this time after the login.",
                    "REST API v2, 9.2 and 9.3: a client polls until the code ends", ("seconds", 10))
            case .secondProfile:
                Self(
                    "Second profile", "A login gives a profile with this TV provider too.",
                    "REST API v2, 5.6: a client copes with several profiles")
            case .profileEnded:
                Self(
                    "Profile ended", "The profiles of the device end now, before the time that they name.",
                    "REST API v2: authenticated_profile_expired")
            case .codeReplaced:
                Self(
                    "Code replaced", "The code that is polled ends now, as if another one had been made.",
                    "REST API v2: invalid_authentication_session")
            case .rewritten:
                Self(
                    "Rewritten answer",
                    "Your status and your body replace those of each answer, until you turn it off.",
                    "Any answer, also one that no document has", ("HTTP status", 200))
            }
    }

    private init(_ title: String, _ about: String, _ source: String, _ amount: (unit: String, usual: Int)? = nil) {
        (self.title, self.about, self.source, self.amount) = (title, about, source, amount)
    }
}

extension SandboxWorld.Fault {
    /// The id of a fault in the console; it does not change while its requests are counted down.
    var key: String {
        var fault = self
        (fault.requests, fault.after) = (nil, nil)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let bytes = (try? encoder.encode(fault)) ?? Data()
        return String(SHA256.hash(data: bytes).hexadecimal.prefix(12))
    }
}
