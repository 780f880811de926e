import Foundation
import TVEModels

/// The rule for HH1: a client uses its service token until it expires.
struct KeepsServiceTokens: Rule {
    let row = Row(
        "HH1", .recommended,
        sentence: "The client keeps its service token until it ends, renews it with the last one, and does not "
            + "obtain one a call.",
        evidence:
            "two requests of a device with the same service token, or a renewal. A new token for the same account "
            + "while the last one was valid breaks the row",
        advice: "Store the service token with its expiry, and renew it with GET serviceToken shortly before.",
        source: "Single sign-on service, Service Token API")

    let answers: Set<DocumentedEndpoint> = [.serviceToken, .renewServiceToken]

    func judge(_ recording: Recording, _ verdict: inout Verdict) {
        var last: [ExactText: Token] = [:]
        var uses: [ExactText: Call] = [:]
        // The devices by their tokens, because a renewal need not name the device.
        var devices: [ExactText: String] = [:]
        for call in recording.known {
            guard let provider = call.serviceProvider else { continue }
            let sent = call.header("ad-service-token")
            guard let device = call.device ?? sent.flatMap({ devices[ExactText("\(provider)\n\($0)")] }) else {
                continue
            }
            let owner = ExactText("\(provider)\n\(device)")
            if let token = call.serviceToken { devices[ExactText("\(provider)\n\(token)")] = device }
            if call.endpoint == .serviceToken, call.isAnswered {
                let account = call.header("x-sso-id")
                // With a link code, a device changes its household.
                if let token = last[owner], let end = token.answered.serviceTokenEnd, let account,
                    token.account?.isSameBytes(as: account) == true, !call.cannotKnow(of: token.answered),
                    call.began < end.addingTimeInterval(-Self.margin)
                {
                    verdict.fail(
                        "A new service token for the same account, "
                            + "\(KeepsAccessTokens.text(end.timeIntervalSince(call.began))) before the last one "
                            + "ended.",
                        [token.answered, call])
                }
                last[owner] = Token(answered: call, account: account)
            } else if call.endpoint == .unlink, call.mayHaveSucceeded {
                // A device that has left its household needs another token to join one.
                last[owner] = nil
            } else if call.endpoint == .renewServiceToken, call.isAnswered {
                verdict.keep([call])
                last[owner] = last[owner].map { Token(answered: call, account: $0.account) }
            } else if let sent {
                let use = ExactText("\(owner.text)\n\(sent)")
                if let earlier = uses[use] { verdict.keep([earlier, call]) }
                uses[use] = call
                // A token that another call has refused need not be stored. A refused access token says nothing about
                // it.
                if call.status == 401, !call.refusesAccess { last[owner] = nil }
            }
        }
    }

    /// The token of a device.
    private struct Token {
        /// The response with the token.
        let answered: Call
        /// The account for which the device has obtained its first token, or nil if it has joined with a link code.
        let account: String?
    }

    /// The time by which a client may renew early: a tenth of an hour.
    private static let margin: TimeInterval = 360
}

/// The rule for HH2: a client uses a link code once.
struct UsesLinkCodesOnce: Rule {
    let row = Row(
        "HH2", .recommended,
        sentence: "The client sends a link code once: also one that was refused is not sent again.",
        evidence:
            "a request for a service token with a link code. A second one of the same device with that code breaks "
            + "the row",
        advice: "If a code is refused, ask the viewer for a new one.",
        source: "Single sign-on service, Link API")

    let answers: Set<DocumentedEndpoint> = [.serviceToken]

    func judge(_ recording: Recording, _ verdict: inout Verdict) {
        var sent: [ExactText: Call] = [:]
        for call in recording.known where call.endpoint == .serviceToken {
            guard let code = call.header("x-sso-link"), call.isAboutItsCode else { continue }
            let key = ExactText("\(call.device ?? "")\n\(code)")
            if let first = sent[key] {
                verdict.fail("The same link code was sent again.", [first, call])
            } else {
                verdict.keep([call])
            }
            sent[key] = call
        }
    }
}

extension Call {
    /// A Boolean value that indicates whether the response is about the link code, and not about the access token or a
    /// failure of the service.
    fileprivate var isAboutItsCode: Bool {
        isAnswered || (error != nil && status < 500 && !refusesAccess && error?.action != "retry")
    }

    /// The time at which the service token of a response expires, by the recording's clock.
    fileprivate var serviceTokenEnd: Date? { lifetime.map { ended.addingTimeInterval($0) } }
}
