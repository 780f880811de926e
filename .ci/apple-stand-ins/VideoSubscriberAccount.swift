// What the code for Apple systems uses of VideoSubscriberAccount, as far as a compiler must know it.
import Foundation
import UIKit

public enum VSAccountAccessStatus {
    case notDetermined, restricted, denied, granted
}

public struct VSCheckAccessOption: Hashable, Sendable {
    public static let prompt = VSCheckAccessOption()
}

public let VSErrorInfoKeyUnsupportedProviderIdentifier = "VSErrorInfoKeyUnsupportedProviderIdentifier"

public let VSErrorDomain = "VSErrorDomain"

public struct VSError: Error {
    public enum Code: Int {
        case accessNotGranted, unsupportedProvider, userCancelled, serviceTemporarilyUnavailable, providerRejected
        case invalidVerificationToken
    }
}

public protocol VSAccountManagerDelegate: AnyObject {
    @MainActor func accountManager(_ accountManager: VSAccountManager, present viewController: UIViewController)
    @MainActor func accountManager(_ accountManager: VSAccountManager, dismiss viewController: UIViewController)
}

public final class VSAccountMetadataRequest {
    public init() {}
    public var channelIdentifier: String?
    public var supportedAccountProviderIdentifiers: [String] = []
    public var featuredAccountProviderIdentifiers: [String] = []
    public var verificationToken: String?
    public var includeAccountProviderIdentifier = false
    public var includeAuthenticationExpirationDate = false
    public var attributeNames: [String] = []
    public var isInterruptionAllowed = false
}

public final class VSAccountMetadata {
    public var accountProviderIdentifier: String? { nil }
    public var authenticationExpirationDate: Date? { nil }
    public var verificationData: Data? { nil }
    public var samlAttributeQueryResponse: String? { nil }
}

public final class VSAccountManagerResult {
    public func cancel() {}
}

public final class VSAccountManager {
    public init() {}
    public weak var delegate: (any VSAccountManagerDelegate)?
    public func checkAccessStatus(
        options: [VSCheckAccessOption: Any], completionHandler: @escaping @Sendable (VSAccountAccessStatus, (any Error)?) -> Void
    ) {}
    @discardableResult
    public func enqueue(
        _ request: VSAccountMetadataRequest, completionHandler: @escaping @Sendable (VSAccountMetadata?, (any Error)?) -> Void
    ) -> VSAccountManagerResult { VSAccountManagerResult() }
}
