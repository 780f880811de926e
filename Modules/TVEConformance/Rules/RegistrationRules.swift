import Foundation
import TVEModels

/// The rule for CL1: a device registers once.
struct KeepsCredentials: Rule {
    let row = Row(
        "CL1", .mandatory,
        sentence: "The client registers once, and keeps and reuses its credentials, also after a restart.",
        evidence:
            "a registration, or requests with its credentials. A further registration of the same device breaks the "
            + "row, unless the service has refused the credentials, or both registrations are in use and may belong "
            + "to two applications",
        advice: "Store client id and secret before their first use, and read them at each start.",
        source: "Checklist, Registration Phase: Client Credentials Caching")

    func judge(_ recording: Recording, _ verdict: inout Verdict) {
        var devices: [Int: String] = [:]
        for call in recording.known {
            if let client = call.client, let device = call.device { devices[client] = device }
        }
        let attempts = recording.known.filter { $0.endpoint == .register && $0.isSuccess }
        let registrations = attempts.filter { $0.brings("client_id") }
        // Credentials that were registered and never used are attributed to the device whose requests have the same
        // characteristics.
        var devicesByDescription: [ExactText: String] = [:]
        for call in registrations {
            devicesByDescription[call.deviceDescription] =
                call.client.flatMap { devices[$0] } ?? devicesByDescription[call.deviceDescription]
        }
        let registered = Set(registrations.map(\.client))
        let isAnonymous = !recording.known.contains { $0.device != nil }
        var last: [ExactText: Call] = [:]
        var refusals: [Int?: Call] = [:]
        for call in recording.known {
            // If it is unknown whose credentials were refused, they may have been those of any application.
            if call.refusesCredentials { refusals[registered.contains(call.client) ? call.client : nil] = call }
            if call.endpoint == .token, call.isSuccess { verdict.keep([call]) }
            guard call.endpoint == .register, call.brings("client_id") else { continue }
            verdict.keep([call])
            // The headers show to which device a registration belongs.
            if call.isWithoutHeaders, isAnonymous {
                verdict.note = "The recording was saved without the headers that show which device registers."
                continue
            }
            let own = call.client.flatMap { devices[$0] }
            let device = own ?? devicesByDescription[call.deviceDescription] ?? call.deviceDescription.text
            // Every application on a device has credentials of its own.
            let owner = ExactText("\(call.field("software_statement") ?? "") \(device)")
            let excuses = [last[owner]?.client, nil].compactMap { refusals[$0] }
            if let first = last[owner], [first, call].allSatisfy({ Self.isInUse($0, after: call, recording) }) {
                verdict.note =
                    "Two registrations of one device are in use, and no exchange shows whether they belong to "
                    + "one application."
            } else if let first = last[owner], !call.cannotKnow(of: first),
                !excuses.contains(where: { $0.isAfter(first) })
            {
                if own == nil, call.exchange.address.isEmpty {
                    // Two devices of one model describe themselves in the same way.
                    verdict.note = "Credentials were registered and not used, and no exchange shows on which device."
                } else {
                    verdict.fail("The same device registered again after \(first.text(until: call)).", [first, call])
                }
            }
            last[owner] = call
        }
        // A response without a client id excuses the next registration. No registration follows the last response, and
        // a recorder may have masked its client id.
        if attempts.dropFirst().last?.brings("client_id") == false {
            verdict.note =
                "The response to the last registration has no client id, so it is unknown which registrations "
                + "succeeded."
        }
    }
}

extension KeepsCredentials {
    /// Returns a Boolean value that indicates whether the application of a registration receives responses after
    /// another one.
    ///
    /// An application may use the classic services alone, whose endpoints are not documented ones.
    private static func isInUse(_ registration: Call, after other: Call, _ recording: Recording) -> Bool {
        recording.calls.contains {
            // The cheap comparison comes first, because this looks at every request of a recording.
            $0.isAfter(other) && $0.client == registration.client && $0.endpoint?.isAPI != false && $0.isSuccess
        }
    }
}

/// The rule for CL2: a client uses its access token until it expires.
struct KeepsAccessTokens: Rule {
    let row = Row(
        "CL2", .mandatory, sentence: "The client keeps its access token until it ends, also over a restart.",
        evidence: "two requests with the same access token, or a new token after the old one has expired",
        advice: "Store the access token with its expiry, and request a new one only then or after a 401.",
        source: "Checklist, Registration Phase: Access Tokens Caching")

    let answers: Set<DocumentedEndpoint> = [.token]

    func judge(_ recording: Recording, _ verdict: inout Verdict) {
        // If the recording does not show which token was refused or which one an application had, the refused token may
        // have been that of any application. The page of a login has none, unless an app adds one.
        let refusals = recording.known.filter {
            $0.clientOfCredentials == nil && $0.sendsToken && ($0.endpoint != .authenticate || $0.bearer != nil)
                && ($0.refusesAccess || $0.isRefusedByAnotherServer)
        }
        for calls in recording.clients { judge(calls, unknownRefusals: refusals, &verdict) }
    }

    private func judge(_ calls: [Call], unknownRefusals: [Call], _ verdict: inout Verdict) {
        var hasToken = false
        // The response with the token that the client has to keep, unless the service has refused the token.
        var current: Call?
        var lastUse: Call?
        for call in calls {
            // A client need not distinguish another server from the service.
            if call.sendsToken, call.refusesAccess || call.isRefusedByAnotherServer { current = nil }
            if call.endpoint == .token, call.brings("access_token") {
                if let last = current, let end = last.tokenEnd, !call.cannotKnow(of: last) {
                    // A client may renew early, so that its token does not expire in transit.
                    let margin = max(60, end.timeIntervalSince(last.ended) / 10)
                    let isUnsure =
                        lastUse == nil
                        && unknownRefusals.contains {
                            $0.isAfter(last) && call.isAfter($0) && ($0.bearer == nil || last.hidesToken)
                        }
                    if call.began >= end.addingTimeInterval(-margin) {
                        verdict.keep([last, call])
                    } else if isUnsure {
                        verdict.note =
                            "A new access token follows a 401, and the recording does not show which token was refused."
                    } else {
                        verdict.fail(
                            "A new access token after \(last.text(until: call)), "
                                + "\(Self.text(end.timeIntervalSince(call.began))) before the old one ended.",
                            [last, call])
                    }
                }
                hasToken = true
                current = call
                lastUse = nil
            } else if call.endpoint?.isAPI == true, call.isSuccess, hasToken {
                // Only the device id shows who sent a request without its token, which may be that of an earlier run.
                guard call.bearer != nil || call.isUnidentified else { continue }
                if let lastUse { verdict.keep([lastUse, call]) }
                lastUse = call
            }
        }
    }

    static func text(_ seconds: Double) -> String {
        let whole = Int(bounded: seconds.rounded())
        return whole >= 120 ? "\(whole / 60) minutes" : whole == 1 ? "1 second" : "\(whole) seconds"
    }
}

/// The rule for CL3: a client renews its token before it repeats a refused call.
struct RenewsBeforeItRepeats: ClientRule {
    /// The number of refusals of one call, each with another access token, that breaks the row.
    ///
    /// The client may send a call twice, and again twice for a viewer who tries it once more.
    private static let count = 5
    /// The longest time between two calls that belong together.
    private static let seconds = 60.0

    let row = Row(
        "CL3", .recommended,
        sentence: "The client checks the token's end before a call, and after a 401 gets a new token before it "
            + "repeats the call, once.",
        evidence:
            "a 401 and the next requests, or calls before and after the expiry of a token. The same call with five "
            + "new tokens that all get a 401 breaks the row; fewer calls may come from a viewer who tried again",
        advice: "After a 401, request a new token and repeat the call once; do not send a token that has expired.",
        source: "Checklist, Registration Phase: Access Tokens Validation")

    let answers: Set<DocumentedEndpoint> = [.token]

    func judge(_ calls: [Call], _ verdict: inout Verdict) {
        var refused: Call?
        var token: Call?
        var runs: [DocumentedEndpoint: [Call]] = [:]
        for call in calls {
            if call.endpoint == .token || call.endpoint == .register {
                if let refused { verdict.keep([refused, call]) }
                if call.endpoint == .token, call.isAnswered {
                    if let end = token?.tokenEnd, end <= call.ended.addingTimeInterval(60) {
                        verdict.keep([call])
                    }
                    token = call
                }
                refused = nil
                continue
            }
            guard let endpoint = call.endpoint, endpoint.isAPI, let bearer = call.bearer else { continue }
            // A request that was sent before the 401 arrived is not a repetition.
            if let last = refused, last.bearer?.isSameBytes(as: bearer) == true, call.began >= last.ended {
                verdict.fail("The access token that got a 401 was sent again.", [last, call])
            } else if let made = token, let end = made.tokenEnd, call.began >= end,
                made.answer?["access_token"]?.stringValue?.isSameBytes(as: bearer) == true
            {
                verdict.fail("The access token had expired before the request.", [made, call])
                token = nil
            }
            refused = call.refusesAccess ? call : nil
            var run = runs.removeValue(forKey: endpoint) ?? []
            guard call.refusesAccess || call.isRefusedByAnotherServer else { continue }
            let goesOn = run.last.map { last in
                last.isSameRequest(as: call) && last.seconds(until: call) <= Self.seconds
                    && last.bearer?.isSameBytes(as: bearer) == false
            }
            if goesOn != true { run = [] }
            run.append(call)
            if run.count == Self.count {
                verdict.fail("The call was repeated with each new access token, and all of them got a 401.", run)
            }
            runs[endpoint] = run
        }
    }
}

extension Call {
    /// The time at which the access token of this response expires, or nil when the recording does not show it.
    ///
    /// A client can use no token for no time, so such a lifetime states nothing.
    fileprivate var tokenEnd: Date? {
        answer?["expires_in"]?.decimalValue.flatMap { $0 > 0 ? ended.addingTimeInterval($0) : nil }
    }

    /// A Boolean value that indicates whether a request of this kind is sent with the access token.
    ///
    /// The status 401 of a request for a token is about the credentials, and a report of a playback goes to the sandbox
    /// alone, without a token.
    fileprivate var sendsToken: Bool {
        endpoint != .token && endpoint != .register && Play.resource(self) == nil
    }

    /// A Boolean value that indicates whether the recording does not show the access token of this response.
    fileprivate var hidesToken: Bool {
        answer?["access_token"]?.stringValue.map { Exchange.Message.isMask($0) } ?? true
    }

    /// The characteristics that the requests of one application on a device have in common.
    fileprivate var deviceDescription: ExactText {
        let parts = ["x-device-info", "user-agent"].map { header($0) ?? "" }
        return ExactText("\(field("software_statement") ?? "") \(parts[0]) \(parts[1]) \(exchange.address)")
    }

    /// A Boolean value that indicates whether the service states that credentials are no longer valid.
    fileprivate var refusesCredentials: Bool {
        guard status >= 400 else { return false }
        return error?.action == "application-registration" || answer?["error"]?.stringValue == "invalid_client"
    }

    /// Returns the time to a later call, for people.
    func text(until other: Call) -> String { KeepsAccessTokens.text(seconds(until: other)) }
}
