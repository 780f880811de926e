import FlyingFox
import Foundation
import TVEModels

/// The routes that create, find and remove registration codes.
enum RegistrationCodes {
    static func respond(_ state: SandboxState, _ request: SandboxRequest) throws(SandboxRefusal) -> HTTPResponse {
        try ClientRegistration.authorize(state, request)
        guard state.requestor(RequestorID(request.path[2])) != nil else { return failure(400, "Unknown requestor") }
        switch (request.method, request.path.count) {
        case ("POST", 4):
            return make(state, request)
        case ("GET", 5):
            guard let code = find(state, request) else { return failure(404, "Not found") }
            return .json(answer(code))
        case ("DELETE", 5):
            // Of several requests at once, the one that has removed the code has found it.
            guard let code = find(state, request), state.cancelCode(code.code) else { return failure(404, "Not found") }
            return .status(204)
        default:
            return .status(405)
        }
    }

    private static func make(_ state: SandboxState, _ request: SandboxRequest) -> HTTPResponse {
        guard let deviceID = request.form["deviceId"] ?? request.query["deviceId"], !deviceID.isEmpty else {
            return failure(400, "deviceId is missing")
        }
        let asked = request.form["ttl"].flatMap(Int.init) ?? state.world.behavior.registrationCodeLifetime
        state.noteClock()
        let code = state.withTables { tables, now in
            let code = RegistrationCode(
                code: tables.unusedCode(at: now), id: SandboxState.randomID(),
                requestorID: RequestorID(request.path[2]),
                mvpdID: request.form["mvpd"].map(MVPDID.init), deviceID: deviceID,
                deviceInfo: request.form["device_info"] ?? "", userAgent: request.header("User-Agent") ?? "",
                generated: now, expires: now.addingTimeInterval(TimeInterval(min(max(asked, 1), 36_000))))
            tables.codes.set(code, code.code, until: code.expires, at: now)
            return code
        }
        return .json(answer(code), status: 201)
    }

    private static func find(_ state: SandboxState, _ request: SandboxRequest) -> RegistrationCode? {
        let code = state.code(request.path[4].uppercased())
        return code?.requestorID == RequestorID(request.path[2]) ? code : nil
    }

    private static func failure(_ status: Int, _ message: MetadataValue) -> HTTPResponse {
        .json(MetadataValue.object(["status": .number(Double(status)), "message": message]), status: status)
    }

    private static func answer(_ code: RegistrationCode) -> MetadataValue {
        [
            "id": .string(code.id), "code": .string(code.code), "requestor": "\(code.requestorID)",
            // The value is `null` when the client has sent no provider.
            "mvpd": code.mvpdID.map { "\($0)" } ?? .null,
            "generated": .milliseconds(code.generated), "expires": .milliseconds(code.expires),
            "info": [
                "deviceId": .string(Data(code.deviceID.utf8).base64EncodedString()),
                "deviceInfo": .string(code.deviceInfo), "userAgent": .string(code.userAgent),
                "originalUserAgent": .string(code.userAgent), "authorizationType": "OAUTH2",
            ],
        ]
    }
}
