public import Foundation
public import TVEFlowEngine
import TVEModels

/// A scripted platform sign-on: the signed-in viewer, the app's access, the viewer's actions.
///
/// The sandbox accepts its SAML responses.
public final class ScriptedPlatform: PlatformSignOn {
    /// The script of the platform.
    public struct Script: Sendable {
        /// The app's access before it has asked for permission.
        public var access: PlatformAccess
        /// The viewer's answer to a request for permission, if undecided.
        public var answerToRequest: PlatformAccess
        /// The platform's id of the provider at which the viewer is signed in, nil for none.
        public var signedIn: String?
        /// When that login ends at the platform, if the platform says so.
        public var expires: Date?
        /// The result of the picker.
        public var picker: Result<String, PlatformSignOnError>
        /// The error of every request; nil for none.
        public var failure: PlatformSignOnError?
        /// The name of the viewer, as the sandbox knows it.
        public var viewer: String

        /// Makes a script of a platform without a signed-in viewer.
        ///
        /// - Parameters:
        ///   - access: the app's access.
        ///   - signedIn: the platform's id of the provider at which the viewer is signed in.
        ///   - expires: when that login ends at the platform.
        ///   - picker: the result of the picker.
        ///   - viewer: the name of the viewer.
        public init(
            access: PlatformAccess = .granted, signedIn: String? = nil, expires: Date? = nil,
            picker: Result<String, PlatformSignOnError> = .failure(.cancelled), viewer: String = "viewer"
        ) {
            self.access = access
            self.answerToRequest = access
            self.signedIn = signedIn
            self.expires = expires
            self.picker = picker
            self.viewer = viewer
        }
    }

    private let script: Guarded<Script>
    private let seen = Guarded<[PlatformAccountRequest]>([])

    /// Follows a script from the first call on.
    ///
    /// - Parameter script: its script.
    public init(_ script: Script = Script()) {
        self.script = Guarded(script)
    }

    /// Every request for an account, in order.
    public var requests: [PlatformAccountRequest] { seen.withLock(\.self) }

    /// Changes the script from now on.
    ///
    /// - Parameter change: changes the script.
    public func change(_ change: @Sendable (inout Script) -> Void) { script.withLock { change(&$0) } }

    /// Answers by the script.
    ///
    /// - Parameter mayAsk: whether the viewer may be asked.
    /// - Returns: the access in the script.
    public func access(mayAsk: Bool) async -> PlatformAccess {
        script.withLock { script in
            if mayAsk, script.access == .undetermined { script.access = script.answerToRequest }
            return script.access
        }
    }

    /// Answers by the script, after showing and dismissing a dialog if the picker is needed.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - presenter: shows the dialog.
    /// - Returns: the account of the viewer who is signed in or has chosen a provider.
    /// - Throws: the error in the script.
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
        return PlatformAccount(providerID: providerID, expires: script.expires, samlResponse: answer)
    }
}
