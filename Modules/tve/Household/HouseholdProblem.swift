import TVEFlowEngine
import TVEModels
import TVENetworking

/// A reason for which the single sign-on service, or this device, refuses a command about the household.
enum HouseholdProblem {
    /// The wire dialect has no households.
    case classicServices
    /// The service is not enabled for the requestor.
    case notOffered
    case codeUnknown
    /// The code was used, or has expired.
    case codeEnded
    /// The service has received too many requests or too many wrong codes.
    case throttled
    /// The device is in no household.
    case noMember
    /// The service token expired too long ago to be renewed.
    case membershipEnded
    /// Another device has unlinked this one.
    case unlinked

    /// Returns the reason for an error of a session, or `nil` if the error is not about a household.
    init?(_ error: TVEError) {
        switch (error.underlying as? HouseholdError, error.code) {
        case (.notOffered?, _): self = .notOffered
        case (.codeUnknown?, _): self = .codeUnknown
        case (.codeEnded?, _): self = .codeEnded
        case (.throttled?, _): self = .throttled
        case (.tokenEnded?, _): self = .membershipEnded
        case (.tokenRefused?, _): self = .unlinked
        case (nil, .householdNotOffered): self = .classicServices
        case (nil, .notInHousehold): self = .noMember
        default: return nil
        }
    }

    /// Returns the reason for which a device is not a member, or `nil` if it is one.
    init?(_ membership: HouseholdMembership) {
        switch membership {
        case .member: return nil
        case .none: self = .noMember
        case .ended: self = .membershipEnded
        case .unlinked: self = .unlinked
        }
    }

    /// Returns a sentence about what was found, and one about what to do.
    func text(_ options: SessionOptions) -> String {
        switch self {
        case .classicServices: "The classic services have no households. Use --dialect v2."
        case .notOffered:
            "The service offers no households to the requestor \(options.requestorID). Ask the vendor to enable them, "
                + "which is a premium feature, or name another requestor with --requestor."
        case .codeUnknown:
            "The service does not know this code. Compare it with the code on the other device, or request a new one "
                + "there: tve household link."
        case .codeEnded:
            "This code was used or has expired. Request a new one on the other device: tve household link."
        case .throttled:
            "The service answers no more for now: it has received too many requests or too many wrong codes. Wait some "
                + "minutes, and try again with the right code."
        case .noMember:
            "This device is in no household. \"tve household link\" makes one, and \"tve household join CODE\" joins "
                + "that of another device."
        case .membershipEnded:
            "The membership of this device has ended, because its service token expired too long ago to be renewed. "
                + "Join again with a new code from another device: tve household join CODE."
        case .unlinked:
            "Another device has unlinked this one from the household. Join again with a new code from another device: "
                + "tve household join CODE."
        }
    }
}
