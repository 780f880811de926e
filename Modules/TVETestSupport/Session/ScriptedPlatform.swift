public import Foundation
public import TVEFlowEngine
import TVEModels

/// A platform sign-on that follows a script.
///
/// The script defines the signed-in viewer, the app's access and the viewer's actions. The sandbox accepts the SAML
/// responses of this platform.
public final class ScriptedPlatform: PlatformSignOn {
    /// The script of the platform.
    public struct Script: Sendable {
        /// The app's access before it has requested permission.
        public var access: PlatformAccess
        /// The viewer's answer to a request for permission, if the access is undetermined.
        public var answerToRequest: PlatformAccess
        /// The platform's id of the provider at which the viewer is signed in, or `nil` for none.
        public var signedIn: String?
        /// The time at which that login ends at the platform, or `nil` if the platform does not state it.
        public var expires: Date?
        /// The result of the picker.
        public var picker: Result<String, PlatformSignOnError>
        /// The error of every request, or `nil` for none.
        public var failure: PlatformSignOnError?
        /// The name of the viewer in the sandbox.
        public var viewer: String

        /// Creates a script.
        ///
        /// - Parameters:
        ///   - access: the app's access.
        ///   - signedIn: the platform's id of the provider at which the viewer is signed in; `nil` selects none.
        ///   - expires: the time at which that login ends at the platform; `nil` if the platform does not state it.
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

    /// Creates a platform that follows a script.
    ///
    /// - Parameter script: the script.
    public init(_ script: Script = Script()) {
        self.script = Guarded(script)
    }

    /// The requests for an account so far, in their order.
    public var requests: [PlatformAccountRequest] { seen.withLock(\.self) }

    /// Changes the script for further calls.
    ///
    /// - Parameter change: the closure that changes the script.
    public func change(_ change: @Sendable (inout Script) -> Void) { script.withLock { change(&$0) } }

    /// Returns the app's access according to the script.
    ///
    /// - Parameter mayAsk: a Boolean value that indicates whether the platform may ask the viewer for permission.
    public func access(mayAsk: Bool) async -> PlatformAccess {
        script.withLock { script in
            if mayAsk, script.access == .undetermined { script.access = script.answerToRequest }
            return script.access
        }
    }

    /// Returns the viewer's account according to the script.
    ///
    /// If the picker is needed, the presenter shows and dismisses a dialog first.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - presenter: the presenter that shows the dialog.
    /// - Returns: the account of the viewer who is signed in or has chosen a provider.
    /// - Throws: the error in the script, `notSignedIn` if the picker is needed but cannot be shown, or
    ///   `unsupportedProvider` if the request does not list the account's provider.
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
        // A platform names no account of a provider that the app has not listed.
        guard request.supportedProviderIDs.all.contains(where: { $0.isSameBytes(as: providerID) }) else {
            throw .unsupportedProvider(id: providerID)
        }
        let answer = request.samlRequest.map {
            "<Response InResponseTo=\"\($0.escapedForXML)\">\n"
                + "  <NameID>\(script.viewer.escapedForXML)</NameID>\n</Response>"
        }
        return PlatformAccount(providerID: providerID, expires: script.expires, samlResponse: answer)
    }
}
