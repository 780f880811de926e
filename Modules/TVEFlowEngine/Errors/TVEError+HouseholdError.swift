import TVEModels
import TVENetworking

extension TVEError {
    /// Translates a failure of the single sign-on service.
    init(_ error: HouseholdError) {
        switch error {
        case .notOffered:
            self.init(
                .householdNotOffered,
                message:
                    "The service offers no households to this requestor. They are a premium feature: ask the "
                    + "vendor to enable it.",
                underlying: error)
        case .codeUnknown:
            self.init(
                .linkCodeInvalid,
                message:
                    "The service does not know this code. Let the viewer compare it with the other screen.",
                underlying: error)
        case .codeEnded:
            self.init(
                .linkCodeInvalid,
                message: "The code was used or has expired. Let the viewer request a new one on the other device.",
                underlying: error)
        case .tokenEnded:
            self.init(
                .notInHousehold,
                message: "The device's membership in the household has ended. Join again with a new code.",
                underlying: error)
        case .tokenRefused:
            self.init(
                .notInHousehold, message: "The device was unlinked from its household. Join again with a new code.",
                underlying: error)
        case .throttled:
            self.init(
                .throttled,
                message:
                    "There were too many requests, or too many wrong codes. Wait some minutes before the next one.",
                underlying: error)
        case .service(let error): self.init(error, during: .start)
        }
    }

    static let notInHousehold = TVEError(
        .notInHousehold, message: "The device is in no household. Join one with a code or an account, or create one.")
}
