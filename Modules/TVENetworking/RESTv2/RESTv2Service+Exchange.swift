import Foundation
import HTTPTypes
import TVEModels

extension RESTv2Service {
    /// Sends a request whose answer is a JSON document.
    func fetch<Answer: JSONReadable>(
        _ type: Answer.Type, _ request: RESTv2Request, carrying proofs: CarriedProofs? = nil,
        limits: UntrustedJSON.Limits = .answer
    ) async throws(ServiceError) -> Answer {
        var retries = Retries()
        return try await fetch(type, request, carrying: proofs, limits: limits, retries: &retries)
    }

    /// Sends a request whose answer is a JSON document, with the retries that are left of a call.
    func fetch<Answer: JSONReadable>(
        _ type: Answer.Type, _ request: RESTv2Request, carrying proofs: CarriedProofs? = nil,
        limits: UntrustedJSON.Limits = .answer, retries: inout Retries
    ) async throws(ServiceError) -> Answer {
        try await send(request, carrying: proofs, retries: &retries) { (answer) throws(ServiceError) in
            guard answer.isSuccess else { throw .status(answer.status) }
            return try Self.read(type, from: answer.body, limits: limits)
        }
    }

    static func read<Answer: JSONReadable>(
        _ type: Answer.Type, from body: Data, limits: UntrustedJSON.Limits = .answer
    ) throws(ServiceError) -> Answer {
        do throws(UntrustedJSONError) {
            return try UntrustedJSON.read(type, from: body, limits)
        } catch {
            throw .unreadableJSON
        }
    }

    /// Sends a protected request.
    ///
    /// If the service refuses the access token, the token is replaced once. The credentials are replaced only if the
    /// service states that they are invalid, and the old ones are restored if it refuses the new ones as well. If the
    /// service asks for a retry, the request is repeated while the call has retries left (REST API v2, 4.2 and 9.9).
    ///
    /// - Parameters:
    ///   - carried: the proofs of logins that the request carries, or nil for the current ones.
    ///   - retries: the retries that the call has left.
    ///   - read: reads the answer, whatever its status is. If it fails, an error of the service in the body is thrown
    ///     first, and otherwise the error of `read`.
    func send<Answer>(
        _ request: RESTv2Request, carrying carried: CarriedProofs? = nil, retries: inout Retries,
        read: (HTTPAnswer) throws(ServiceError) -> Answer
    ) async throws(ServiceError) -> Answer {
        if let error = request.validationError { throw error }
        let carried = if let carried { carried } else { await proofs(for: request) }
        let head = head(of: request, carrying: carried)
        let body = request.body
        var token = try await registration.accessToken()
        var renewal = Renewal.none
        while true {
            let answer = try await exchange(head, body: body, accessToken: token)
            let failure: ServiceError
            do throws(ServiceError) {
                let value = try read(answer)
                if answer.isSuccess { await registration.conclude(token, isAccepted: true) }
                return value
            } catch {
                failure = error
            }
            var error = EnhancedError.read(answer.body)
            if !answer.isSuccess, error?.status == nil { error?.status = answer.status }
            let status = answer.isSuccess ? error?.status : answer.status
            // The action decides, whatever the status of the answer is.
            let isForgotten = error?.action == "application-registration" || answer.namesUnknownClient
            if let error, request.household?.canBeRefused == true, error.isAboutHousehold {
                throw .refused(error)
            } else if status == 401 || isForgotten && (error != nil || status == 403) {
                // The service reports a token that has ended with the same action, and logins end with the credentials,
                // so a new token is tried first.
                let isOfToken = status == 401 && renewal == .none && !answer.namesUnknownClient
                let next: Renewal = isForgotten && !isOfToken ? .registration : .token
                let isChallenge = answer.isChallengeOfAnotherServer
                guard renewal < next, !isChallenge || mayReplaceAfterChallenge(token) else {
                    // A web page comes from a network, and the challenge of another server from that server. Neither
                    // says anything about the token or about credentials on trial.
                    let refusal = answer.unread(
                        isChallenge ? .status(answer.status) : .accessTokenRefused("unauthorized"))
                    let isOfService = if case .accessTokenRefused = refusal { true } else { error != nil }
                    if isOfService { await registration.conclude(token, isAccepted: false) }
                    throw error.map(ServiceError.init) ?? refusal
                }
                renewal = next
                // If the service has no new token, the old one is not replaced again soon either.
                var isAnswered = true
                defer {
                    let attempt = (token: token.hashValue, renewed: now())
                    if isChallenge, isAnswered { memory.withLock { $0.challenge = attempt } }
                }
                do throws(ServiceError) {
                    token = try await registration.accessToken(insteadOf: token, isForgotten: next == .registration)
                } catch {
                    if case .transport = error { isAnswered = false }
                    throw error
                }
            } else if error?.action == "retry", retries.count > 0, let wanted = pauseBeforeRetry(answer),
                wanted <= retries.patience
            {
                retries.patience -= wanted
                try await pause(using: &retries, atLeast: wanted)
            } else {
                if error != nil { await registration.conclude(token, isAccepted: true) }
                // A firewall refuses a request with a web page, which must not look as if there were no households.
                var isUnread = request.household != nil && [403, 404, 405].contains(answer.status)
                if case .unreadableJSON = failure { isUnread = true }
                throw error.map(ServiceError.init) ?? (isUnread ? answer.unread(failure) : failure)
            }
        }
    }

    /// Returns a Boolean value that indicates whether an access token may be replaced after the challenge of another
    /// server, which a proxy may send in answer to each poll.
    ///
    /// A token that was received, or could not be replaced, for the same reason less than a minute ago stays. A request
    /// with an older token still gets the new one.
    private func mayReplaceAfterChallenge(_ token: AccessToken) -> Bool {
        guard let last = memory.withLock(\.challenge), last.token == token.hashValue else { return true }
        return abs(now().timeIntervalSince(last.renewed)) >= 60
    }

    /// The part of the registration that a request has replaced after a refusal.
    private enum Renewal: Comparable { case none, token, registration }

    /// Returns the seconds that must pass before the retry that the service asks for, or nil for a 429 after which the
    /// transport has already repeated the request.
    private func pauseBeforeRetry(_ answer: HTTPAnswer) -> TimeInterval? {
        if answer.status == 429, transport is PacedTransport { return nil }
        return RetryAfter(answer.headers)?.seconds(from: now()) ?? 0
    }

    /// Uses up a retry, and waits one second before the first, and two seconds before the second.
    ///
    /// - Parameters:
    ///   - retries: the retries that the call has left.
    ///   - wanted: the time that the service asks for, in seconds.
    func pause(using retries: inout Retries, atLeast wanted: TimeInterval = 0) async throws(ServiceError) {
        let seconds = max(wanted, TimeInterval(1 << (Retries.maximum - retries.count)))
        retries.count -= 1
        do {
            try await sleep(.seconds(seconds))
        } catch {
            throw .transport(.cancelled)
        }
    }

    /// Waits until the profile of a code may be requested again.
    ///
    /// Flows pace their own requests. But a redirect may arrive twice, or belong to another page, and each redirect
    /// causes a request.
    func waitForPoll(of code: String) async throws(ServiceError) {
        guard !code.isEmpty else { return }
        let now = now()
        let turn = memory.withLock { memory in
            var turn = now
            if let poll = memory.poll, poll.code == code.hashValue {
                let next = poll.sent.addingTimeInterval(Self.pollPause)
                // Other callers may be waiting already. However, a clock that was set back must not stop a login.
                if next > now, next.timeIntervalSince(now) < Self.longestPollPause { turn = next }
            }
            memory.poll = (code.hashValue, turn)
            return turn
        }
        guard turn > now else { return }
        do {
            try await sleep(.seconds(turn.timeIntervalSince(now)))
        } catch {
            throw .transport(.cancelled)
        }
    }

    /// The shortest time between two requests for the profile of a code: three seconds (REST API v2, 9.9).
    private static let pollPause: TimeInterval = 3
    private static let longestPollPause: TimeInterval = 30

    /// Returns the method, the path and the headers, without the access token.
    private func head(of request: RESTv2Request, carrying proofs: CarriedProofs) -> HTTPRequest {
        let options = options()
        var head = provider.request(request.endpoint.method, request.target)
        head.headerFields[.accept] = Endpoint.BodyKind.json.rawValue
        head.headerFields[.contentType] = request.endpoint.body?.kind.rawValue
        for header in request.endpoint.headers {
            let value: String? =
                switch header {
                case .authorization: nil
                case .deviceIdentifier: deviceHeader
                case .deviceInfo: client.encodedDeviceInfo(adding: options.deviceInfo)
                case .visitor: options.visitorID
                case .tempPassIdentity: request.identity
                case .partnerStatus: proofs.platformStatus?.headerValue
                case .serviceToken: request.household?.token ?? proofs.serviceToken
                case .account: request.household?.account
                case .linkCode: request.household?.code
                }
            // An app may set an option to an empty text, and an empty header may be one value for everybody.
            if let value, !value.isBlank, let name = header.name { head.headerFields[name] = value }
        }
        return head
    }

    private func exchange(
        _ head: HTTPRequest, body: Data?, accessToken token: AccessToken
    ) async throws(ServiceError) -> HTTPAnswer {
        var head = head
        head.headerFields[.authorization] = "Bearer \(token.value)"
        return try await transport.answer(to: head, body: body)
    }
}

/// The retries that a call has left, if the service asks for them.
struct Retries {
    static let maximum = 2

    /// The number of retries of one request, and of the decisions in its answer.
    var count = Retries.maximum
    /// The time, in seconds, that is left for all times in `Retry-After` together.
    ///
    /// A viewer may be waiting, so it is limited as the time of one 429 is, whatever requests the call needs.
    var patience = PacedTransport.longestPause
}

extension EnhancedError {
    /// A Boolean value that indicates whether the single sign-on service refuses a code or a service token.
    ///
    /// Other errors concern the access token.
    fileprivate var isAboutHousehold: Bool {
        ["header_invalid", "token_invalid", "token_expired"].contains(code)
    }
}

extension HTTPAnswer {
    /// A Boolean value that indicates whether a server in front of the service asks for a login of its own.
    fileprivate var isChallengeOfAnotherServer: Bool {
        !RefusalWithoutToken.isPossible(status: status, challenge: headers[.wwwAuthenticate], body: body)
    }

    /// A Boolean value that indicates whether the service does not know the client.
    ///
    /// Older parts of the service report this as an OAuth error.
    fileprivate var namesUnknownClient: Bool {
        OAuthErrorName.read(body) == "invalid_client"
    }
}
