import Foundation
import HTTPTypes
import TVEModels

extension ScriptedTransport {
    /// Creates a transport that answers as a service with REST API v2 does for one viewer.
    ///
    /// By the clock, a login ends after a day, and a code after half an hour. A TempPass needs no page. Its day begins
    /// with the first login, and neither a logout nor another login gives the viewer a second one.
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
        /// The provider of the newest code.
        var chosen: MVPDID?
        /// The time at which the newest code was issued.
        var issued = Date.distantPast
        /// A Boolean value that indicates whether the viewer has not completed the login of the newest code.
        var isWaiting = false
        var looks = 0
        /// The beginnings of the viewer's logins, some of which may have ended.
        var logins: [MVPDID: Date] = [:]
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
            let name = MetadataValue.string(Self.text(path[2]))
            let providers = viewer.providers.map(\.configuration)
            return json(["requestor": ["id": name, "name": name, "mvpds": .array(providers)]])
        case "sessions":
            guard path.count != 5 || hasCode else { return endedCode }
            return json(session(path, String(decoding: body ?? Data(), as: UTF8.self)))
        case "profiles":
            let isPoll = path.count == 6 && path[4] == "code"
            guard !isPoll || hasCode else { return endedCode }
            return profiles(of: path.count == 5 ? MVPDID(Self.text(path[4])) : nil, isPoll: isPoll)
        case "decisions":
            let asked = try? UntrustedJSON.decode([String: [String]].self, from: body ?? Data(), .small)
            let resources = asked?["resources"] ?? []
            let isForPlayback = path.dropFirst(4).first == "authorize"
            let decisions = resources.map { decision(on: $0, path: path, isForPlayback: isForPlayback) }
            return json(["decisions": .array(decisions)])
        case "logout":
            let mvpdID = MVPDID(Self.text(path.last ?? ""))
            if !isTempPass(mvpdID) { state.withLock { $0.logins[mvpdID] = nil } }
            return json(["logouts": .object([mvpdID.text: ["actionName": "complete", "actionType": "none"]])])
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

    private func isTempPass(_ mvpdID: MVPDID) -> Bool {
        viewer.providers.first { $0.id == mvpdID }?.isTempPass == true
    }

    private func hasEnded(_ began: Date) -> Bool { clock.now >= began.addingTimeInterval(Self.loginLifetime) }

    /// Returns the text of a component of a path, or of a value of a form.
    private static func text(_ component: String) -> String { component.removingPercentEncoding ?? component }

    private func session(_ path: [String], _ form: String) -> MetadataValue {
        let named = form.parts(separatedBy: "&").first { $0.hasBytePrefix("mvpd=") }
            .map { String($0.divided(at: "=").after ?? "") }
        let now = clock.now
        return state.withLock { state -> MetadataValue in
            let mvpdID = named.map { MVPDID(Self.text($0)) } ?? state.chosen ?? MVPDID("")
            let isTempPass = self.isTempPass(mvpdID)
            if isTempPass { state.logins[mvpdID] = state.logins[mvpdID] ?? now }
            if isTempPass || state.logins[mvpdID].map(hasEnded) == false {
                return [
                    "actionName": "authorize", "actionType": "direct",
                    "reasonType": .string(isTempPass ? "temporary" : "authenticated"), "mvpd": .string(mvpdID.text),
                ]
            }
            state.chosen = mvpdID
            state.isWaiting = true
            state.looks = 0
            // A request that names the code continues its session.
            if path.count != 5 { state.issued = now }
            return [
                "actionName": "authenticate", "actionType": "interactive", "reasonType": "none",
                "mvpd": .string(mvpdID.text),
                "code": .string(Self.code), "url": .string("/api/v2/authenticate/\(path[2])/\(Self.code)"),
                "notBefore": Self.milliseconds(state.issued),
                "notAfter": Self.milliseconds(state.issued, later: Self.codeLifetime),
            ]
        }
    }

    /// Returns the profiles of one provider, of the provider of the code, or of all providers that are no TempPass.
    private func profiles(of named: MVPDID?, isPoll: Bool) -> ScriptedTransport.Answer {
        let now = clock.now
        let logins = state.withLock { state -> [MVPDID: Date] in
            if isPoll, state.isWaiting, let chosen = state.chosen {
                state.looks += 1
                if state.looks > viewer.looksBeforeLogin {
                    state.logins[chosen] = now
                    state.isWaiting = false
                }
            }
            guard let mvpdID = isPoll ? state.chosen : named else { return state.logins.filter { !isTempPass($0.key) } }
            return state.logins.filter { $0.key == mvpdID }
        }
        if let named, isTempPass(named), logins[named].map(hasEnded) == true {
            return json(.object(Self.endOfTempPass), status: 403)
        }
        let userID: MetadataValue = ["value": "test-viewer", "state": "plain"]
        var profiles: [String: MetadataValue] = [:]
        for (mvpdID, began) in logins where !hasEnded(began) {
            let isTempPass = self.isTempPass(mvpdID)
            profiles[mvpdID.text] = [
                "notBefore": Self.milliseconds(began),
                "notAfter": Self.milliseconds(began, later: Self.loginLifetime),
                "issuer": .string(isTempPass ? "Adobe" : mvpdID.text),
                "type": .string(isTempPass ? "temporary" : "regular"), "attributes": ["userID": userID],
            ]
        }
        return json(["profiles": .object(profiles)])
    }

    /// The error about a TempPass whose day is over.
    private static let endOfTempPass: [String: MetadataValue] = [
        "status": 403, "action": "authentication", "message": "The time of the temporary pass is used up.",
        "code": "temporary_access_duration_limit_exceeded",
    ]

    private static let noProfile: [String: MetadataValue] = [
        "status": 403, "action": "authentication", "message": "There is no profile.",
        "code": "authenticated_profile_missing",
    ]

    private func decision(on resource: String, path: [String], isForPlayback: Bool) -> MetadataValue {
        let now = clock.now
        let mvpdID = MVPDID(Self.text(path.last ?? ""))
        let isTempPass = self.isTempPass(mvpdID)
        var members: [String: MetadataValue] = [
            "resource": .string(resource), "serviceProvider": .string(Self.text(path[2])),
            "mvpd": .string(mvpdID.text), "source": .string(isTempPass ? "temppass" : "mvpd"), "authorized": false,
        ]
        let hasEnded = state.withLock { $0.logins[mvpdID] }.map(self.hasEnded)
        guard hasEnded == false else {
            members["error"] = .object(isTempPass && hasEnded == true ? Self.endOfTempPass : Self.noProfile)
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

extension TVProvider {
    /// The provider as the service's configuration states it, without the members that have their defaults.
    ///
    /// The values for the platform's sign-on are missing, because the service has no endpoint for it.
    fileprivate var configuration: MetadataValue {
        var members: [String: MetadataValue] = ["id": .string(id.text), "displayName": .string(displayName)]
        if !logoURL.isEmpty { members["logoUrl"] = .string(logoURL) }
        let flags = [
            "isTempPass": isTempPass, "isProxy": isProxy, "authPerBrowserSession": authenticatesPerBrowserSession,
        ]
        for (name, isSet) in flags where isSet { members[name] = true }
        return .object(members)
    }
}
