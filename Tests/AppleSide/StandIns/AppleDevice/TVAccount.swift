// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// The viewer's TV provider account in the system's settings, and what the viewer does when asked about it.
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
        /// When the provider requires a password again; nil for never.
        public var expires: Date?

        public init(_ providerID: String, expires: Date? = nil) {
            self.providerID = providerID
            self.expires = expires
        }
    }

    /// What the viewer does with the system's picker.
    public enum Choice: Sendable, Hashable {
        /// Logs in with a provider that the system can log in with.
        case logsIn(String)
        /// Chooses a provider that the system only lists.
        case takesListed(String)
        case takesOther
        case closes
        case leavesOpen
    }

    /// What happens to a cancelled request.
    ///
    /// Source: VSAccountManager.h: cancellation is advice, and need not end the request.
    public enum Cancellation: Sendable, Hashable, CaseIterable {
        /// The request ends as if the viewer had cancelled it, a little later.
        case endsLater
        case isIgnored
    }

    /// What the framework's answer contains about a login.
    ///
    /// Source: VSAccountMetadata.h: both properties may be nil.
    public enum Proof: Sendable, Hashable, CaseIterable {
        /// The provider's SAML response as text.
        case saml
        /// Bytes to verify it with, and no text.
        case verificationData
        /// Neither.
        case none
    }

    public var access = Access.notDetermined
    /// The viewer's answer to the system's question; `.notDetermined` for none.
    public var answer = Access.granted
    /// The error with which the question whether the app may ask fails, before the viewer is asked; nil for none.
    public var accessFailure: NSError?
    public var login: Login?
    /// What the viewer does with the picker.
    public var choice = Choice.closes
    /// Fails every request: a domain and a code.
    public var failure: NSError?
    /// Fails silent requests while the viewer is not logged in, instead of an answer without an account.
    public var silentFailure: Int?
    /// What a cancelled request does.
    public var cancellation = Cancellation.endsLater
    /// What the answer contains about a login.
    public var proof = Proof.saml
    /// The provider's SAML response to a verification token.
    public var saml: @Sendable (_ verificationToken: String) -> String = { _ in "<Response/>" }

    /// An account that is not used.
    public init() {}
}

/// What an app asked about the TV provider account.
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
    /// The ids of `applicationAccountProviders`, nil for none.
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
