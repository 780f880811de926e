// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The names and their meanings are Apple's.

// The names and values of VideoSubscriberAccount's headers that the code for Apple systems uses, and their neighbours.
import AppleDevice
public import Foundation
public import UIKit

public typealias CFString = String

public struct CFBundle: Sendable {}

public func CFBundleGetMainBundle() -> CFBundle! { CFBundle() }

public func CFBundleGetValueForInfoDictionaryKey(_ bundle: CFBundle!, _ key: CFString!) -> Any? {
    AppleDevice.current.with { $0.running?.infoPlist[key] }
}

/// The viewer's permission for an app to read the account.
public enum VSAccountAccessStatus: Int, Sendable {
    case notDetermined = 0
    case restricted = 1
    case denied = 2
    case granted = 3
}

/// An option for the check of the permission.
public struct VSCheckAccessOption: Hashable, Sendable, RawRepresentable {
    public static let prompt = VSCheckAccessOption(rawValue: "VSCheckAccessOptionPrompt")

    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
}

public let VSErrorDomain = "VSErrorDomain"
/// The key of the provider with which the system cannot log in.
public let VSErrorInfoKeyUnsupportedProviderIdentifier = "VSErrorInfoKeyUnsupportedProviderIdentifier"

public struct VSError: Error {
    public enum Code: Int, Sendable, CaseIterable {
        case accessNotGranted = 0
        case unsupportedProvider = 1
        case userCancelled = 2
        case serviceTemporarilyUnavailable = 3
        case providerRejected = 4
        case invalidVerificationToken = 5
        case rejected = 6
        case unsupported = 7
    }
}

/// A delegate that presents the framework's view controllers.
///
/// Source: VSAccountManager.h, which does not declare the protocol on the main actor.
public protocol VSAccountManagerDelegate: NSObjectProtocol {
    func accountManager(_ accountManager: VSAccountManager, present viewController: UIViewController)
    func accountManager(_ accountManager: VSAccountManager, dismiss viewController: UIViewController)
}

/// A request of an app for facts about the account.
public final class VSAccountMetadataRequest: NSObject {
    public var channelIdentifier: String?
    public var supportedAccountProviderIdentifiers: [String] = []
    public var featuredAccountProviderIdentifiers: [String] = []
    public var verificationToken: String?
    public var includeAccountProviderIdentifier = false
    public var includeAuthenticationExpirationDate = false
    public var attributeNames: [String] = []
    public var isInterruptionAllowed = false
    public var forceAuthentication = false
    public var applicationAccountProviders: [VSAccountApplicationProvider]?
}

/// A provider that the app adds to the picker.
public final class VSAccountApplicationProvider: NSObject {
    public let localizedDisplayName: String
    public let identifier: String

    public init(localizedDisplayName: String, identifier: String) {
        self.localizedDisplayName = localizedDisplayName
        self.identifier = identifier
    }
}

/// The deep link to the TV provider in the settings, whose text is not documented.
public let VSOpenTVProviderSettingsURLString = "settings-of-the-stand-in:tv-provider"

public final class VSAccountMetadata: NSObject {
    public internal(set) var accountProviderIdentifier: String?
    public internal(set) var authenticationExpirationDate: Date?
    public internal(set) var verificationData: Data?
    public internal(set) var samlAttributeQueryResponse: String?
}

/// A running request.
public final class VSAccountManagerResult: NSObject {
    private let cancelled: @Sendable () -> Void

    init(_ cancelled: @escaping @Sendable () -> Void) {
        self.cancelled = cancelled
    }

    /// Tells the framework that the answer is no longer needed.
    public func cancel() { cancelled() }
}
