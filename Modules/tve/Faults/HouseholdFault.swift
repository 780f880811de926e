import TVEFlowEngine
import TVEModels
import TVENetworking

/// A reason for which the single sign-on service, or this device, refuses a command about the household.
enum HouseholdFault: ToolFault {
    /// A wire dialect without households.
    case classicServices
    /// A requestor for which the service offers no households.
    case notOffered(RequestorID)
    /// A code that the service does not know.
    case codeUnknown
    /// A code that was used, or has expired.
    case codeEnded
    /// A service that has received too many requests or too many wrong codes.
    case throttled
    /// A device that is in no household.
    case noMember
    /// A membership that ended because the service token expired too long ago to be renewed.
    case membershipEnded
    /// A membership that another device has ended.
    case unlinked
    /// A new member without the login of its household, and the reason.
    case joinedWithoutLogin(String)
    /// A device that was to unlink itself.
    case thisDevice(String)
    /// A device that the service has not unlinked.
    case stillMember(String)
    /// An id of no device of the household.
    case unknownDevice(String)
    /// A device that was not unlinked, for a reason that the service does not give.
    case notUnlinked(String)

    /// Creates the fault of a session's error, or returns `nil` if the error is not about a household.
    init?(_ error: TVEError, requestorID: RequestorID) {
        switch (error.underlying as? HouseholdError, error.code) {
        case (.notOffered?, _): self = .notOffered(requestorID)
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

    /// Creates the reason for which a device is not a member, or returns `nil` if it is one.
    init?(_ membership: HouseholdMembership) {
        switch membership {
        case .member: return nil
        case .none: self = .noMember
        case .ended: self = .membershipEnded
        case .unlinked: self = .unlinked
        }
    }

    var sentences: (found: String, advice: String) {
        let ids = "\"tve household devices\" lists the ids."
        switch self {
        case .classicServices: return ("The classic services have no households.", "Use --dialect v2.")
        case .notOffered(let id):
            return (
                "The service offers no households to the requestor \(id).",
                "Ask the vendor to enable them, which is a premium feature, or name another requestor with --requestor."
            )
        case .codeUnknown:
            return (
                "The service does not know this code.",
                "Compare it with the code on the other device, or request a new one there: tve household link."
            )
        case .codeEnded:
            return (
                "This code was used or has expired.", "Request a new one on the other device: tve household link."
            )
        case .throttled:
            return (
                "The service accepts no requests for now: it has received too many, or too many wrong codes.",
                "Wait some minutes, and try again with the right code."
            )
        case .noMember:
            return (
                "This device is in no household.",
                "\"tve household link\" creates one, and \"tve household join CODE\" joins that of another device."
            )
        case .membershipEnded:
            return (
                "The membership of this device has ended, because its service token expired too long ago to be "
                    + "renewed.",
                "Join again with a new code from another device: tve household join CODE."
            )
        case .unlinked:
            return (
                "Another device has unlinked this one from the household.",
                "Join again with a new code from another device: tve household join CODE."
            )
        case .joinedWithoutLogin(let outage):
            return (
                "Joined, but the service could not be asked for the login of the household: \(outage)",
                "\"tve status\" asks again."
            )
        case .thisDevice(let id):
            return (
                "\(id) is this device, and nothing was unlinked.", "\"tve household leave\" takes this device out."
            )
        case .stillMember(let id):
            return ("Not unlinked: \(id) is still in the household.", "Try again later.")
        case .unknownDevice(let id): return ("Not unlinked: \(id) is not a device of this household.", ids)
        case .notUnlinked(let id): return ("Not unlinked: \(id).", ids)
        }
    }
}
