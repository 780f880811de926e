public import TVEFlowEngine
import TVEModels

/// A platform sign-on that a test writes: who is signed in, what the app may ask, what the viewer does.
///
/// Its SAML answers are those that the sandbox accepts.
public final class ScriptedPlatform: PlatformSignOn {
    /// What the platform does.
    public struct Script: Sendable {
        /// What the app may ask before it has asked for permission.
        public var access: PlatformAccess
        /// What the viewer says to a request for permission, when nothing was decided.
        public var answerToRequest: PlatformAccess
        /// The platform's id of the provider the viewer is signed in with, nil for nobody.
        public var signedIn: String?
        /// What comes of the picker.
        public var picker: Result<String, PlatformSignOnError>
        /// What every request fails of.
        public var failure: PlatformSignOnError?
        /// The name of the viewer, as the sandbox knows it.
        public var viewer: String

        /// Makes a script of a platform on which nobody is signed in.
        ///
        /// - Parameters:
        ///   - access: what the app may ask.
        ///   - signedIn: the platform's id of the provider the viewer is signed in with.
        ///   - picker: what comes of the picker.
        ///   - viewer: the name of the viewer.
        public init(
            access: PlatformAccess = .granted, signedIn: String? = nil,
            picker: Result<String, PlatformSignOnError> = .failure(.cancelled), viewer: String = "viewer"
        ) {
            self.access = access
            self.answerToRequest = access
            self.signedIn = signedIn
            self.picker = picker
            self.viewer = viewer
        }
    }

    private let script: Guarded<Script>
    private let seen = Guarded<[PlatformAccountRequest]>([])

    /// Makes a platform.
    ///
    /// - Parameter script: what it does.
    public init(_ script: Script = Script()) {
        self.script = Guarded(script)
    }

    /// Every request for an account, in order.
    public var requests: [PlatformAccountRequest] { seen.withLock(\.self) }

    /// Changes what the platform does from now on.
    ///
    /// - Parameter change: changes the script.
    public func change(_ change: @Sendable (inout Script) -> Void) {
        script.withLock { change(&$0) }
    }

    /// Answers from the script.
    ///
    /// - Parameter mayAsk: whether the viewer may be asked.
    /// - Returns: what the script says.
    public func access(mayAsk: Bool) async -> PlatformAccess {
        script.withLock { script in
            if mayAsk, script.access == .undetermined { script.access = script.answerToRequest }
            return script.access
        }
    }

    /// Answers from the script, after showing and taking away a dialog where the picker is needed.
    ///
    /// - Parameters:
    ///   - request: what is asked.
    ///   - presenter: shows the dialog.
    /// - Returns: the account of the viewer who is signed in or has chosen a provider.
    /// - Throws: what the script says.
    public func account(
        _ request: PlatformAccountRequest, presenter: (any AuthenticationPresenter)?
    ) async throws(PlatformSignOnError) -> PlatformAccount {
        seen.withLock { $0.append(request) }
        let script = script.withLock(\.self)
        if let failure = script.failure { throw failure }
        var providerID = script.signedIn
        if providerID == nil {
            guard request.mayInterrupt, let presenter else { throw .notSignedIn }
            let dialog = PlatformDialog(self)
            await presenter.presentPlatformDialog(dialog)
            await presenter.dismissPlatformDialog(dialog)
            providerID = try script.picker.get()
            self.script.withLock { [providerID] in $0.signedIn = providerID }
        }
        guard let providerID else { throw .notSignedIn }
        let answer = request.samlRequest.map {
            "<Response InResponseTo=\"\($0.escapedForXML)\">\n  <NameID>\(script.viewer.escapedForXML)</NameID>\n</Response>"
        }
        return PlatformAccount(providerID: providerID, samlResponse: answer)
    }
}
