public import Foundation

/// The viewer's TV provider account in the system's settings, and what the viewer does when asked about it.
public struct TVAccount: Sendable {
    /// The states of `VSAccountAccessStatus`.
    public enum Access: Sendable, Hashable, CaseIterable {
        /// The viewer was not asked.
        case notDetermined
        /// Parental controls forbid it.
        case restricted
        /// The viewer said no.
        case denied
        /// The viewer said yes.
        case granted
    }

    /// A login at the system.
    public struct Login: Sendable {
        /// The platform's id of the provider.
        public var providerID: String
        /// When the provider requires a password again; nil for never.
        public var expires: Date?

        /// Describes a login.
        ///
        /// - Parameters:
        ///   - providerID: the platform's id of the provider.
        ///   - expires: when the provider requires a password again.
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
        /// Chooses "Other TV Provider".
        case takesOther
        /// Closes it.
        case closes
        /// Leaves it on the screen.
        case leavesOpen
    }

    /// When the framework answers.
    ///
    /// Source: VSAccountManager.h: once, perhaps before the call returns, on any queue.
    public enum Moment: Sendable, Hashable, CaseIterable {
        /// Before the call returns.
        case atOnce
        /// Later, on a queue of its own.
        case later
    }

    /// What happens to a cancelled request.
    ///
    /// Source: VSAccountManager.h: cancellation is advice, and need not end the request.
    public enum Cancellation: Sendable, Hashable, CaseIterable {
        /// The request ends as if the viewer had cancelled it, a little later.
        case endsLater
        /// The request continues.
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

    /// Whether apps may ask.
    public var access = Access.notDetermined
    /// The viewer's answer to the system's question; `.notDetermined` for none.
    public var answer = Access.granted
    /// The login, if there is one.
    public var login: Login?
    /// What the viewer does with the picker.
    public var choice = Choice.closes
    /// Fails every request: a domain and a code.
    public var failure: NSError?
    /// Fails silent requests while the viewer is not logged in, instead of an answer without an account.
    public var silentFailure: Int?
    /// When answers come.
    public var moment = Moment.later
    /// What a cancelled request does.
    public var cancellation = Cancellation.endsLater
    /// What the answer contains about a login.
    public var proof = Proof.saml
    /// The provider's SAML response to a verification token.
    public var saml: @Sendable (_ verificationToken: String) -> String = { _ in "<Response/>" }

    /// An account that is not used.
    public init() {}
}
