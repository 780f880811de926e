// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// The viewer's TV provider account in the system's settings, and the actions of the viewer when asked about it.
public struct TVAccount: Sendable {
    /// The states of `VSAccountAccessStatus`.
    public enum Access: Sendable, Hashable, CaseIterable {
        case notDetermined
        /// Parental controls forbid it.
        case restricted
        case denied
        case granted
    }

    /// A login at the system.
    public struct Login: Sendable {
        /// The platform's id of the provider.
        public var providerID: String
        /// The time at which the provider requires a password again; `nil` for never.
        public var expires: Date?

        public init(_ providerID: String, expires: Date? = nil) {
            self.providerID = providerID
            self.expires = expires
        }
    }

    /// The actions of the viewer in the system's picker.
    public enum Choice: Sendable, Hashable {
        /// Logs in with a provider that the system supports.
        case logsIn(String)
        /// Chooses a provider that the system only lists.
        case takesListed(String)
        case takesOther
        case closes
        case leavesOpen
    }

    /// The effect of cancelling a request.
    ///
    /// Source: VSAccountManager.h. Cancellation is advice, and does not have to end the request.
    public enum Cancellation: Sendable, Hashable, CaseIterable {
        /// The request ends as if the viewer had cancelled it, a little later.
        case endsLater
        /// The request ends in the same way, but not before ``TVAccount/lateEnd`` is called.
        case endsWhenTold
        case isIgnored
    }

    /// The proof of a login in the framework's answer.
    ///
    /// Source: VSAccountMetadata.h. Both properties may be `nil`.
    public enum Proof: Sendable, Hashable, CaseIterable {
        /// The provider's SAML response as text.
        case saml
        /// The bytes with which the login can be verified, without the text.
        case verificationData
        /// No proof at all.
        case none
    }

    public var access = Access.notDetermined
    /// The viewer's answer when the system asks for permission; `.notDetermined` for none.
    public var answer = Access.granted
    /// The error with which the check of the permission fails before the viewer is asked; `nil` for none.
    public var accessFailure: NSError?
    public var login: Login?
    /// The viewer's action in the picker.
    public var choice = Choice.closes
    /// The error with which every request fails; `nil` for none.
    public var failure: NSError?
    /// The code of the error for silent requests while the viewer is not logged in; `nil` for an answer without a
    /// provider.
    public var silentFailure: Int?
    /// The effect of cancelling a request.
    public var cancellation = Cancellation.endsLater
    /// A closure that ends a request that was cancelled with ``Cancellation/endsWhenTold``.
    public var lateEnd: (@MainActor @Sendable () -> Void)?
    /// A Boolean value that indicates whether requests without a dialog are answered before the framework's method
    /// returns.
    ///
    /// Source: VSAccountManager.h, which permits both.
    public var answersAtOnce = false
    /// The proof of a login in the answer.
    public var proof = Proof.saml
    /// A closure that returns the provider's SAML response to a verification token.
    public var saml: @Sendable (_ verificationToken: String) -> String = { _ in "<Response/>" }

    /// Creates an account without a login.
    public init() {}
}

/// A request that an app made for the TV provider account.
public struct TVAccountQuestion: Sendable, Hashable {
    /// `channelIdentifier`.
    public var channel: String?
    /// `supportedAccountProviderIdentifiers`.
    public var supported: [String]
    /// `featuredAccountProviderIdentifiers`.
    public var featured: [String]
    public var verificationToken: String?
    /// `attributeNames`.
    public var attributes: [String]
    /// `isInterruptionAllowed`.
    public var mayInterrupt: Bool

    /// `forceAuthentication`.
    public var isForced: Bool
    /// The ids of `applicationAccountProviders`; `nil` for none.
    public var ownProviders: [String]?

    public init(
        channel: String?, supported: [String], featured: [String], verificationToken: String?, attributes: [String],
        mayInterrupt: Bool, isForced: Bool = false, ownProviders: [String]? = nil
    ) {
        self.isForced = isForced
        self.ownProviders = ownProviders
        self.channel = channel
        self.supported = supported
        self.featured = featured
        self.verificationToken = verificationToken
        self.attributes = attributes
        self.mayInterrupt = mayInterrupt
    }
}
