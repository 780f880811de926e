import Foundation
import TVEModels

/// The login: what `login` and `status` print.
struct LoginReport: Encodable {
    let authenticated: Bool
    var requestor: String?
    var mvpd: String?
    /// In ISO 8601.
    var expires: String?
    /// Why the viewer is not logged in.
    var reason: String?

    init(_ profile: Profile) {
        authenticated = true
        (requestor, mvpd) = (profile.requestorID, profile.mvpdID)
        expires = profile.expires.formatted(.iso8601)
    }

    init(_ reason: String) {
        authenticated = false
        self.reason = reason
    }

    func print(asJSON: Bool) throws {
        if asJSON { return try Printer.json(self) }
        Printer.line(authenticated ? "Logged in with \(mvpd ?? "") until \(expires ?? "")." : reason ?? "")
    }
}
