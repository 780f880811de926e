import Crypto
import Foundation
import TVEDeviceBinding
import TVEModels
import TVETracking

/// The viewer behind a login.
extension EntitlementSession {
    func profile(of token: AuthenticationToken) -> Profile {
        // A TempPass identifies only the device (row TP6).
        let isTempPass = loaded?.merged.requestor.provider(token.claims.providerID)?.isTempPass == true
        return Profile(
            requestorID: requestorID, mvpdID: token.claims.providerID, expires: token.claims.expires.date,
            trackingID: Self.trackingID(isTempPass ? device.deviceID : token.claims.authenticationGUID))
    }

    /// MD5 of the login's GUID: what tracking reports instead of an id of the viewer (wire protocol, tracking).
    package static func trackingID(_ guid: String) -> String {
        Insecure.MD5.hash(data: Data(guid.utf8)).hexadecimal
    }
}

extension TrackedLogin {
    init(_ profile: Profile, isCached: Bool) {
        self.init(mvpdID: profile.mvpdID, trackingID: profile.trackingID, isCached: isCached)
    }
}
