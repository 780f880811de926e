import TVEModels
import TVENetworking

extension TVEError {
    /// Translates a failure of the single sign-on service.
    init(_ error: HouseholdError) {
        let code: Code
        let message: String
        switch error {
        case .notOffered:
            code = .householdNotOffered
            message =
                "The service offers no households to this requestor. They are a premium feature: ask the "
                + "vendor to enable it."
        case .codeUnknown:
            code = .linkCodeInvalid
            message = "The service does not know this code. Let the viewer compare it with the other screen."
        case .codeEnded:
            code = .linkCodeInvalid
            message = "The code was used or has expired. Let the viewer request a new one on the other device."
        case .tokenEnded:
            code = .notInHousehold
            message = "The device's membership in the household has ended. Join again with a new code."
        case .tokenRefused:
            code = .notInHousehold
            message = "The device was unlinked from its household. Join again with a new code."
        case .throttled:
            code = .throttled
            message = "There were too many requests, or too many wrong codes. Wait some minutes before the next one."
        case .service(let error):
            self.init(error, during: .start)
            return
        }
        self.init(code, message: message, underlying: error)
    }

    static let notInHousehold = TVEError(
        .notInHousehold, message: "The device is in no household. Join one with a code or an account, or create one.")
}
