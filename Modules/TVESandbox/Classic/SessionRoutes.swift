import FlyingFox
import Foundation
import TVEModels
import TVETokenCodec

/// The routes `session` and `sessionDevice`, which return the token of a finished login.
enum SessionRoutes {
    static func session(
        _ state: SandboxState, _ request: SandboxRequest, dialect: Dialect
    ) throws(SandboxRefusal) -> HTTPResponse {
        try ClientRegistration.authorize(state, request)
        let device = try PresentedDevice(state, request, dialect: dialect)
        let requestorID = try request.requiredRequestor()
        let index: String
        if let text = request.form["reg_code"]?.uppercased() {
            guard let code = state.code(text), code.requestorID == requestorID else { return notFound }
            guard code.deviceID.isSameBytes(as: device.id) else {
                return .xml("<error><reason>34764</reason></error>", status: 400)
            }
            switch code.outcome {
            case .open: return notFound
            case .begun, .cancelled: return .pendingLogout(1)
            case .loggedIn(let sessionIndex): index = sessionIndex
            }
        } else if let found = platformLogin(state, request, on: device, for: requestorID) {
            index = found
        } else {
            // Before there were registration codes, the browser's cookie linked the login and the session.
            guard let cookie = request.cookie("JSESSIONID"),
                let found = state.withTables({ $0.browsers.entry(cookie, at: $1) })
            else {
                return notFound
            }
            index = found
        }
        guard let login = state.login(index), login.requestorID == requestorID else { return notFound }
        guard let token = try? state.sign(TokenWriter.body(claims(of: login, on: device, in: state))) else {
            return .status(500)
        }
        let metadata = UserMetadataJSON.text(of: login, state)
        return .xml(
            "<result><authnToken>\(token.rawValue.escapedForXML)</authnToken>"
                + "<userMeta>\(metadata.escapedForXML)</userMeta></result>")
    }

    /// Returns the session index of the device's login with the platform's sign-on; `nil` when there is none.
    private static func platformLogin(
        _ state: SandboxState, _ request: SandboxRequest, on device: PresentedDevice, for requestorID: RequestorID
    ) -> String? {
        request.form["mso_id"].flatMap { mvpdID in
            let key = PlatformRoutes.key(deviceID: device.id, requestorID: requestorID, mvpdID: MVPDID(mvpdID))
            return state.withTables { $0.platformLogins.entry(key, at: $1) }
        }
    }

    private static let notFound = HTTPResponse.xmlError("notFound", "Data not found", status: 401)

    private static func claims(
        of login: Login, on device: PresentedDevice, in state: SandboxState
    ) -> AuthenticationToken.Claims {
        let provider = state.provider(login.mvpdID, of: login.requestorID)
        var expires = login.expires
        if case .tempPass(let holder) = login.subject { expires = Trials.expiry(of: holder, login: login, in: state) }
        var claims = AuthenticationToken.Claims(
            authenticationGUID: login.guid, requestorID: login.requestorID,
            expires: state.tokenDate(expires), mvpdID: login.mvpdID, fingerprint: device.fingerprint)
        claims.samlNameID = login.nameID
        claims.samlSessionIndex = login.sessionIndex
        claims.timeToLive = state.world.behavior.authenticationLifetime
        claims.fragments = device.fragments
        if provider?.putsLineUpIntoToken == true, let name = login.viewer {
            claims.authorizedResources = state.world.viewer(name)?.resources
        }
        return claims
    }
}
