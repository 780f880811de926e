import Foundation
import HTTPTypes
import TVEModels

extension ScriptedTransport {
    /// Creates a transport that answers as a service with REST API v2 does for one viewer.
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
        /// The provider that the viewer is logged in with.
        var loggedIn: String?
        var looks = 0
    }

    private static let code = "TEST123"
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
        case "sessions": return json(session(path, String(decoding: body ?? Data(), as: UTF8.self)))
        case "profiles": return json(["profiles": .object(profiles(isPoll: path.dropFirst(4).first == "code"))])
        case "decisions":
            let asked = try? UntrustedJSON.decode([String: [String]].self, from: body ?? Data(), .small)
            let resources = asked?["resources"] ?? []
            let isForPlayback = path.dropFirst(4).first == "authorize"
            let decisions = resources.map { decision(on: $0, path: path, isForPlayback: isForPlayback) }
            return json(["decisions": .array(decisions)])
        case "logout":
            state.withLock { $0.loggedIn = nil }
            return json(["logouts": .object([path.last ?? "": ["actionName": "complete", "actionType": "none"]])])
        default: return .response(status: 404, body: "")
        }
    }

    private func session(_ path: [String], _ form: String) -> MetadataValue {
        let named = form.parts(separatedBy: "&").first { $0.hasBytePrefix("mvpd=") }
            .map { String($0.divided(at: "=").after ?? "") }
        return state.withLock { state -> MetadataValue in
            let mvpdID = named?.removingPercentEncoding ?? state.chosen ?? ""
            if state.loggedIn == mvpdID {
                return [
                    "actionName": "authorize", "actionType": "direct", "reasonType": "authenticated",
                    "mvpd": .string(mvpdID),
                ]
            }
            state.chosen = mvpdID
            state.looks = 0
            return [
                "actionName": "authenticate", "actionType": "interactive", "reasonType": "none",
                "mvpd": .string(mvpdID),
                "code": .string(Self.code), "url": .string("/api/v2/authenticate/\(path[2])/\(Self.code)"),
                "notBefore": milliseconds(0), "notAfter": milliseconds(1_800),
            ]
        }
    }

    private func profiles(isPoll: Bool) -> [String: MetadataValue] {
        let mvpdID = state.withLock { state -> String? in
            if isPoll, let chosen = state.chosen {
                state.looks += 1
                if state.looks > viewer.looksBeforeLogin {
                    state.loggedIn = chosen
                    state.chosen = nil
                }
            }
            return state.loggedIn
        }
        guard let mvpdID else { return [:] }
        let userID: MetadataValue = ["value": "test-viewer", "state": "plain"]
        return [
            mvpdID: [
                "notBefore": milliseconds(0), "notAfter": milliseconds(86_400), "issuer": .string(mvpdID),
                "type": "regular", "attributes": ["userID": userID],
            ]
        ]
    }

    private func decision(on resource: String, path: [String], isForPlayback: Bool) -> MetadataValue {
        let words = viewer.denials[Resource(resource)]
        var members: [String: MetadataValue] = [
            "resource": .string(resource), "serviceProvider": .string(path[2]), "mvpd": .string(path.last ?? ""),
            "source": "mvpd", "authorized": .bool(words == nil),
        ]
        if let words {
            members["error"] = [
                "status": 403, "action": "none", "message": "The MVPD has denied this resource.",
                "code": .string("\(isForPlayback ? "" : "pre")authorization_denied_by_mvpd"), "details": .string(words),
            ]
        } else {
            members["notBefore"] = milliseconds(0)
            members["notAfter"] = milliseconds(3_600)
        }
        if words == nil, isForPlayback {
            let token = Data("a media token for \(resource)".utf8).base64EncodedString()
            members["token"] = [
                "notBefore": milliseconds(0), "notAfter": milliseconds(420), "serializedToken": .string(token),
            ]
        }
        return .object(members)
    }

    /// Returns the time that is this number of seconds ahead of the clock, in milliseconds since 1970.
    private func milliseconds(_ later: Double) -> MetadataValue {
        .number(((clock.now.timeIntervalSince1970 + later) * 1000).rounded())
    }

    private func json(_ value: MetadataValue, status: Int = 200) -> ScriptedTransport.Answer {
        let data = (try? JSONEncoder().encode(value)) ?? Data()
        return .response(status: status, body: String(decoding: data, as: UTF8.self))
    }
}
