public import Foundation

/// A sentence that an app can show to the viewer, in English or in the app's translation.
///
/// An app with translations adds a String Catalog `TVEErrors.xcstrings` to its own target.
/// `Documentation/TVEErrors.xcstrings` is that catalog in English. Sentences that are missing in the app's catalog are
/// shown in English.
public struct ViewerSentence: Sendable, Hashable {
    /// The name of the table that is looked up in the app's bundle.
    public static let table = "TVEErrors"

    /// The key of the sentence in the table, for example `notAuthorized`.
    public let key: String
    /// The sentence in English.
    public let english: String

    /// Returns the sentence in the viewer's language.
    ///
    /// - Parameter bundle: the bundle that contains the app's translations, by default the app's main bundle.
    /// - Returns: the translation or, without one, the sentence in English.
    public func localized(in bundle: Bundle = .main) -> String {
        bundle.localizedString(forKey: key, value: english, table: Self.table)
    }

    /// All sentences, for a translator.
    public static let all = (codes + otherReasons + recoveries).map { ViewerSentence(key: $0.key, english: $0.english) }

    private static let byKey = Dictionary(all.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })

    /// Returns the sentence with the given key, or the sentence for an unknown error if there is none.
    static func named(_ key: String) -> ViewerSentence {
        byKey[key] ?? ViewerSentence(key: "other", english: "Something went wrong.")
    }

    /// Sentences about what happened, one for each error code.
    private static let codes: [(key: String, english: String)] = [
        ("applicationNotRegistered", "This app is not set up for logins with a TV provider."),
        ("redirectNotRegistered", "This app is not set up for logins with a TV provider."),
        ("accessTokenUnavailable", "The TV provider service does not accept this app."),
        ("unknownRequestor", "This app is not set up for logins with a TV provider."),
        ("requestorNotConfigured", "Your login with a TV provider could not be checked."),
        ("serviceUnreachable", "The TV provider service cannot be reached."),
        ("connectionNotTrusted", "The connection to the TV provider service is not secure."),
        ("serviceFailed", "The TV provider service is not working at the moment."),
        ("clientTooOld", "This version of the app is too old."),
        ("throttled", "There were too many requests from this device."),
        ("providerNotSelected", "You have not chosen a TV provider."),
        ("unknownProvider", "This app does not work with that TV provider."),
        ("authenticationFailed", "The login did not succeed."),
        ("deviceMismatch", "You are no longer logged in on this device."),
        ("householdNotOffered", "This app cannot share a login between devices."),
        ("linkCodeInvalid", "The code is not valid. Ask for a new one on your other device."),
        ("notInHousehold", "This device does not share a login. Enter a code from another device to share one."),
        ("notAuthenticated", "You are not logged in with a TV provider."),
        ("notAuthorized", "Your TV provider does not allow you to watch this."),
        ("invalidResource", "This cannot be played."),
        ("authorizationFailed", "It was not possible to check whether you can watch this."),
        ("temporaryAccessExpired", "Your temporary access has ended."),
        ("viewerIdentityMissing", "This offer needs to know who you are."),
        ("tooManyResources", "It was not possible to check what you can watch."),
        ("preauthorizationFailed", "It was not possible to check what you can watch."),
        ("storageFailed", "Your login could not be read or saved on this device."),
    ]

    /// Sentences about what happened, for codes that have several reasons and for codes of a later version.
    private static let otherReasons: [(key: String, english: String)] = [
        ("notAuthorized.providerUnreachable", "Your TV provider cannot be reached at the moment."),
        ("notAuthorized.degraded", "Your TV provider is having technical problems at the moment."),
        ("notAuthorized.parentalControls", "Parental controls do not allow this."),
        ("temporaryAccessExpired.offerUsedUp", "You have used up this offer."),
        ("other", "Something went wrong."),
    ]

    /// Sentences about what the viewer can do.
    private static let recoveries: [(key: String, english: String)] = [
        ("recovery.retry", "Try again later."),
        ("recovery.logIn", "Log in with your TV provider."),
        ("recovery.chooseProvider", "Choose your TV provider."),
        ("recovery.fixConfiguration", "Contact this app's support team."),
        ("recovery.updateApplication", "Update this app."),
        ("recovery.checkConnection", "Check the date and time of this device and your network, then try again."),
        ("recovery.checkStorage", "Check that this device has free space, then try again."),
    ]
}
