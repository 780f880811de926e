import Foundation
import HTTPTypes
import TVEModels

extension ScriptedTransport {
    /// Creates a transport that answers as a service with REST API v2 does for one viewer.
    ///
    /// By the clock, a login ends after a day, and a code after half an hour.
    ///
    /// - Parameters:
    ///   - viewer: the viewer, with the providers, logins and denials.
    ///   - clock: the session's clock.
    public convenience init(viewer: ScriptedViewer = ScriptedViewer(), clock: ManualClock) {
        let service = ScriptedService(viewer, clock)
        self.init { service.answer(to: $0, $1) }
    }
}

/// The simulated service for a ``ScriptedViewer``.
private final class ScriptedService: Sendable {
    private struct State {
        /// The provider of the login that has begun, until the login is complete.
        var chosen: String?
        /// The time at which the newest code was issued.
        var issued = Date.distantPast
        /// The provider and the beginning of the viewer's login, which may have ended.
        var login: (mvpdID: String, began: Date)?
        var looks = 0
    }

    private static let code = "TEST123"
    private static let codeLifetime: TimeInterval = 1_800
    private static let loginLifetime: TimeInterval = 86_400
    private let viewer: ScriptedViewer
    private let clock: ManualClock
    private let state = Guarded(State())

    init(_ viewer: ScriptedViewer, _ clock: ManualClock) {
        self.viewer = viewer
        self.clock = clock
    }

    func answer(to request: HTTPRequest, _ body: Data?) -> ScriptedTransport.Answer {
        let path = (request.path ?? "").divided(at: "?").before.parts(separatedBy: "/", keepsEmpty: false).map(
            String.init)
        switch path.prefix(2) {
        case ["o", "client"] where path.last == "register":
            return json(["client_id": "id", "client_secret": "secret", "scopes": ["api:client:v2"]], status: 201)
        case ["o", "client"]: return json(["access_token": "a.b.c", "expires_in": 86_400, "token_type": "bearer"])
        case ["api", "v2"] where path.count > 3: return answer(to: path, body)
        default: return .response(status: 404, body: "")
        }
    }

    private func answer(to path: [String], _ body: Data?) -> ScriptedTransport.Answer {
        switch path[3] {
        case "configuration":
            let providers = viewer.providers.map { provider -> MetadataValue in
                ["id": .string(provider.id.text), "displayName": .string(provider.displayName)]
            }
            return json(["requestor": ["id": .string(path[2]), "name": .string(path[2]), "mvpds": .array(providers)]])
        case "sessions":
            guard path.count != 5 || hasCode else { return endedCode }
            return json(session(path, String(decoding: body ?? Data(), as: UTF8.self)))
        case "profiles":
            let isPoll = path.dropFirst(4).first == "code"
            guard !isPoll || hasCode else { return endedCode }
            return json(["profiles": .object(profiles(isPoll: isPoll))])
        case "decisions":
            let asked = try? UntrustedJSON.decode([String: [String]].self, from: body ?? Data(), .small)
            let resources = asked?["resources"] ?? []
            let isForPlayback = path.dropFirst(4).first == "authorize"
            let decisions = resources.map { decision(on: $0, path: path, isForPlayback: isForPlayback) }
            return json(["decisions": .array(decisions)])
        case "logout":
            state.withLock { $0.login = nil }
            return json(["logouts": .object([path.last ?? "": ["actionName": "complete", "actionType": "none"]])])
        default: return .response(status: 404, body: "")
        }
    }

    /// A Boolean value that indicates whether there is a code that has not ended.
    private var hasCode: Bool { clock.now < state.withLock(\.issued).addingTimeInterval(Self.codeLifetime) }

    private var endedCode: ScriptedTransport.Answer {
        json(
            [
                "status": 400, "action": "none", "code": "invalid_authentication_session",
                "message": "The session of the code has ended.",
            ], status: 400)
    }

    /// Returns the login of a state, or nil when there is none or it has ended.
    private func login(_ state: State, at now: Date) -> (mvpdID: String, began: Date)? {
        state.login.flatMap { now < $0.began.addingTimeInterval(Self.loginLifetime) ? $0 : nil }
    }

    private func session(_ path: [String], _ form: String) -> MetadataValue {
        let named = form.parts(separatedBy: "&").first { $0.hasBytePrefix("mvpd=") }
            .map { String($0.divided(at: "=").after ?? "") }
        let now = clock.now
        return state.withLock { state -> MetadataValue in
            let mvpdID = named?.removingPercentEncoding ?? state.chosen ?? ""
            if login(state, at: now)?.mvpdID.isSameBytes(as: mvpdID) == true {
                return [
                    "actionName": "authorize", "actionType": "direct", "reasonType": "authenticated",
                    "mvpd": .string(mvpdID),
                ]
            }
            state.chosen = mvpdID
            state.looks = 0
            // A request that names the code continues its session.
            if path.count != 5 { state.issued = now }
            return [
                "actionName": "authenticate", "actionType": "interactive", "reasonType": "none",
                "mvpd": .string(mvpdID),
                "code": .string(Self.code), "url": .string("/api/v2/authenticate/\(path[2])/\(Self.code)"),
                "notBefore": Self.milliseconds(state.issued),
                "notAfter": Self.milliseconds(state.issued, later: Self.codeLifetime),
            ]
        }
    }

    private func profiles(isPoll: Bool) -> [String: MetadataValue] {
        let now = clock.now
        let login = state.withLock { state -> (mvpdID: String, began: Date)? in
            if isPoll, let chosen = state.chosen {
                state.looks += 1
                if state.looks > viewer.looksBeforeLogin {
                    state.login = (chosen, now)
                    state.chosen = nil
                }
            }
            return self.login(state, at: now)
        }
        guard let login else { return [:] }
        let userID: MetadataValue = ["value": "test-viewer", "state": "plain"]
        return [
            login.mvpdID: [
                "notBefore": Self.milliseconds(login.began),
                "notAfter": Self.milliseconds(login.began, later: Self.loginLifetime),
                "issuer": .string(login.mvpdID), "type": "regular", "attributes": ["userID": userID],
            ]
        ]
    }

    private func decision(on resource: String, path: [String], isForPlayback: Bool) -> MetadataValue {
        let now = clock.now
        let mvpdID = path.last ?? ""
        var members: [String: MetadataValue] = [
            "resource": .string(resource), "serviceProvider": .string(path[2]), "mvpd": .string(mvpdID),
            "source": "mvpd", "authorized": false,
        ]
        let loggedIn = state.withLock { login($0, at: now)?.mvpdID }
        guard let loggedIn, loggedIn.isSameBytes(as: mvpdID.removingPercentEncoding ?? mvpdID) else {
            members["error"] = [
                "status": 403, "action": "authentication", "message": "There is no profile.",
                "code": "authenticated_profile_missing",
            ]
            return .object(members)
        }
        if let words = viewer.denials[Resource(resource)] {
            members["error"] = [
                "status": 403, "action": "none", "message": "The MVPD has denied this resource.",
                "code": .string("\(isForPlayback ? "" : "pre")authorization_denied_by_mvpd"), "details": .string(words),
            ]
            return .object(members)
        }
        members["authorized"] = true
        members["notBefore"] = Self.milliseconds(now)
        members["notAfter"] = Self.milliseconds(now, later: 3_600)
        if isForPlayback {
            let token = Data("a media token for \(resource)".utf8).base64EncodedString()
            members["token"] = [
                "notBefore": Self.milliseconds(now), "notAfter": Self.milliseconds(now, later: 420),
                "serializedToken": .string(token),
            ]
        }
        return .object(members)
    }

    /// Returns the time that is this number of seconds after a date, in milliseconds since 1970.
    private static func milliseconds(_ date: Date, later seconds: TimeInterval = 0) -> MetadataValue {
        .number(((date.timeIntervalSince1970 + seconds) * 1000).rounded())
    }

    private func json(_ value: MetadataValue, status: Int = 200) -> ScriptedTransport.Answer {
        let data = (try? JSONEncoder().encode(value)) ?? Data()
        return .response(status: status, body: String(decoding: data, as: UTF8.self))
    }
}
