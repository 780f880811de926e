import Foundation
import TVEModels
import TVENetworking

/// The options of all `setOptions` calls so far.
struct Options: Sendable {
    private var client = ClientOptions()
    /// A Boolean value that indicates whether the app shows Safari itself.
    private(set) var drivesSafari = false

    /// The service for an app that names no endpoint: staging with the profile `staging`, otherwise production (API
    /// reference, `setRequestor`).
    var defaultEndpoint: String {
        client.applicationProfile?.lowercasedASCII == "staging" ? SP_AUTH_STAGING : DEFAULT_SP_URL
    }

    /// Merges the options of one call, key by key.
    ///
    /// A missing key changes nothing. A value of another type than the documented one removes the option.
    mutating func merge(_ options: [AnyHashable: Any]) {
        for (key, value) in options {
            // Undocumented keys are sent unmodified.
            switch key as? String {
            case OPTION_PROFILE: client.applicationProfile = value as? String
            case OPTION_VISITOR_ID: client.visitorID = value as? String
            case OPTION_DEVICE_INFO: client.deviceInfo = value as? String
            case OPTION_HANDLE_SVC: drivesSafari = Self.flag(value)
            case let name?: client.further[name] = GenericData.text(value)
            case nil: break
            }
        }
    }

    /// Returns the value that `boolValue` would return, because Objective-C's Booleans are numbers and apps pass texts
    /// as well.
    private static func flag(_ value: Any) -> Bool {
        switch value {
        case let flag as Bool: flag
        case let number as any BinaryInteger: Int(truncatingIfNeeded: number) != 0
        case let number as NSNumber: number.boolValue
        case let text as String: NSString(string: text).boolValue
        default: false
        }
    }

    /// Returns these options, completed with the given ones.
    func client(over given: ClientOptions) -> ClientOptions {
        var options = ClientOptions(
            applicationProfile: client.applicationProfile ?? given.applicationProfile,
            visitorID: client.visitorID ?? given.visitorID, deviceInfo: client.deviceInfo ?? given.deviceInfo,
            serviceToken: given.serviceToken)
        options.further = given.further.merging(client.further) { $1 }
        return options
    }
}
