import TVEModels
import TVENetworking

extension TVEError {
    /// Translates a failure of the single sign-on service.
    init(_ error: HouseholdError) {
        let code: Code
        switch error {
        case .notOffered: code = .householdNotOffered
        case .codeUnknown, .codeEnded: code = .linkCodeInvalid
        case .tokenEnded, .tokenRefused: code = .notInHousehold
        case .throttled: code = .throttled
        case .service(let error):
            self.init(error, during: .start, isOfRESTv2: true)
            return
        }
        self.init(code, message: "\(error)", underlying: error)
    }

    static let notInHousehold = TVEError(
        .notInHousehold, message: "The device is in no household. Join one with a code or an account, or create one.")

    static let leftWhileJoining = TVEError(
        .notInHousehold, message: "The viewer logged out or left the household while the device joined.")
}
