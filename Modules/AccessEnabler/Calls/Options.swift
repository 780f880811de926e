import Foundation
import TVEModels
import TVENetworking

/// The options of all `setOptions` calls so far.
struct Options: Sendable {
    private var client = ClientOptions()
    /// Whether the app shows Safari itself.
    private(set) var drivesSafari = false

    /// The service of an app that names no endpoint: that of the profile `staging`, else production (API reference,
    /// `setRequestor`).
    var defaultEndpoint: String {
        client.applicationProfile?.lowercasedASCII == "staging" ? SP_AUTH_STAGING : DEFAULT_SP_URL
    }

    /// Merges the options of one call, key by key: a missing key changes nothing; a value of another type than the
    /// documented one removes the option.
    mutating func merge(_ options: [AnyHashable: Any]) {
        for (key, value) in options {
            // Undocumented keys are sent as they are.
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

    /// What `boolValue` reads: Objective-C's booleans are numbers, and apps pass texts as well.
    private static func flag(_ value: Any) -> Bool {
        switch value {
        case let flag as Bool: flag
        case let number as any BinaryInteger: Int(truncatingIfNeeded: number) != 0
        case let number as NSNumber: number.boolValue
        case let text as String: NSString(string: text).boolValue
        default: false
        }
    }

    /// These options, and the given ones where these say nothing.
    func client(over given: ClientOptions) -> ClientOptions {
        var options = ClientOptions(
            applicationProfile: client.applicationProfile ?? given.applicationProfile,
            visitorID: client.visitorID ?? given.visitorID, deviceInfo: client.deviceInfo ?? given.deviceInfo,
            serviceToken: given.serviceToken)
        options.further = given.further.merging(client.further) { $1 }
        return options
    }
}
