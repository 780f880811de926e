#if canImport(VideoSubscriberAccount) && !os(macOS) && !targetEnvironment(macCatalyst)
public import Foundation
import TVEModels
import UIKit
import VideoSubscriberAccount

/// The TV provider account of iOS and tvOS, through the VideoSubscriberAccount framework.
///
/// The app needs the single sign-on entitlement and `NSVideoSubscriberAccountUsageDescription`.
public final class VideoSubscriberSignOn: PlatformSignOn {
    /// Creates a sign-on.
    ///
    /// It sends no request before the first call.
    ///
    /// - Returns: `nil` if the app's Info.plist has no text for `NSVideoSubscriberAccountUsageDescription`. Without
    ///   this text the framework terminates the app at the first request, even a silent one, and the service's
    ///   configuration decides whether there is a request.
    public init?() {
        let text = CFBundleGetValueForInfoDictionaryKey(
            CFBundleGetMainBundle(), "NSVideoSubscriberAccountUsageDescription" as CFString)
        guard let text = text as? String, !text.isEmpty else { return nil }
    }

    /// Returns the app's permission to request the viewer's TV provider.
    ///
    /// - Parameter mayAsk: a Boolean value that indicates whether the system may prompt the viewer for permission.
    /// - Returns: the viewer's decision.
    public func access(mayAsk: Bool) async -> PlatformAccess {
        await FrameworkRequest().answer(whenCancelled: .undetermined) { manager, give in
            manager.checkAccessStatus(options: [.prompt: mayAsk]) { @Sendable status, error in
                give(Self.access(status, error as NSError?, wasAsked: mayAsk))
            }
            return nil
        }
    }

    /// Returns the permission that the framework's status and error express.
    ///
    /// The error is examined first. The status is `notDetermined` for a missing entitlement, for a country without TV
    /// providers and for a viewer who was not prompted; only the error distinguishes them.
    private static func access(
        _ status: VSAccountAccessStatus, _ error: NSError?, wasAsked: Bool
    ) -> PlatformAccess {
        let code = error?.domain == VSErrorDomain ? error?.code : nil
        if code == VSError.Code.unsupported.rawValue { return .notOffered }
        switch status {
        case .granted: return .granted
        case .restricted: return .restricted
        case .notDetermined:
            // Before the prompt, the error "not granted" adds nothing to the status.
            guard let error, wasAsked || code != VSError.Code.accessNotGranted.rawValue else { return .undetermined }
            return .failed(domain: error.domain, code: error.code)
        default: return .denied
        }
    }

    /// Requests the viewer's account; see ``PlatformSignOn``.
    ///
    /// - Parameters:
    ///   - request: the parts of the account to request, and the permission to show the system's picker or login.
    ///   - presenter: the presenter that shows the system's dialogs; `nil` for a silent request.
    /// - Returns: the account.
    /// - Throws: ``PlatformSignOnError``.
    public func account(
        _ request: PlatformAccountRequest, presenter: (any AuthenticationPresenter)?
    ) async throws(PlatformSignOnError) -> PlatformAccount {
        let dialogs = await PlatformDialogDelegate(presenter)
        let result = await FrameworkRequest().answer(whenCancelled: .failure(.cancelled)) { manager, give in
            manager.delegate = dialogs
            return manager.enqueue(Self.metadataRequest(request)) { @Sendable metadata, error in
                // The framework does not keep its delegate alive.
                withExtendedLifetime(dialogs) {}
                give(Self.result(metadata, error))
            }
        }
        // The current dialog is dismissed before anything else is shown.
        await dialogs.finish()
        return try result.get()
    }

    /// The URL of the TV provider page in the system's settings.
    public var settingsURL: URL? { URL(string: VSOpenTVProviderSettingsURLString) }

    private static func metadataRequest(_ request: PlatformAccountRequest) -> VSAccountMetadataRequest {
        let metadata = VSAccountMetadataRequest()
        metadata.channelIdentifier = request.channelID
        metadata.supportedAccountProviderIdentifiers = request.supportedProviderIDs.all
        metadata.featuredAccountProviderIdentifiers = request.featuredProviderIDs
        metadata.isInterruptionAllowed = request.mayInterrupt
        metadata.forceAuthentication = request.isForced
        metadata.includeAccountProviderIdentifier = true
        metadata.includeAuthenticationExpirationDate = true
        metadata.attributeNames = request.attributeNames
        if !request.otherProviders.isEmpty {
            metadata.applicationAccountProviders = request.otherProviders.map {
                VSAccountApplicationProvider(localizedDisplayName: $0.displayName, identifier: $0.id.text)
            }
        }
        if let samlRequest = request.samlRequest { metadata.verificationToken = samlRequest }
        return metadata
    }

    private static func result(
        _ metadata: VSAccountMetadata?, _ error: (any Error)?
    ) -> Result<PlatformAccount, PlatformSignOnError> {
        if let error { return .failure(failure(error as NSError)) }
        guard let providerID = metadata?.accountProviderIdentifier else { return .failure(.notSignedIn) }
        return .success(
            PlatformAccount(
                providerID: providerID, expires: metadata?.authenticationExpirationDate,
                samlResponse: metadata?.samlAttributeQueryResponse
                    ?? metadata?.verificationData.map { String(decoding: $0, as: UTF8.self) }))
    }

    /// Maps the framework's error codes (sign-on notes of the reference).
    ///
    /// Code 1 with an id is a provider that the platform only lists.
    private static func failure(_ error: NSError) -> PlatformSignOnError {
        guard error.domain == VSErrorDomain else { return .failed("\(error.domain) \(error.code)") }
        return switch error.code {
        case VSError.Code.accessNotGranted.rawValue: .accessNotGranted
        case VSError.Code.unsupportedProvider.rawValue:
            .unsupportedProvider(id: error.userInfo[VSErrorInfoKeyUnsupportedProviderIdentifier] as? String)
        case VSError.Code.userCancelled.rawValue: .cancelled
        case VSError.Code.unsupported.rawValue: .notOffered
        default: .failed("\(error.domain) \(error.code)")
        }
    }
}

/// A request to the framework that is answered exactly once: by the framework, or because its caller stops waiting.
///
/// It runs on the main actor like all objects of the framework: `cancel()` dismisses a dialog at once, and UIKit raises
/// an exception on other threads.
@MainActor
private final class FrameworkRequest<Answer: Sendable> {
    private let manager = VSAccountManager()
    private var pending: VSAccountManagerResult?
    private var waiting: CheckedContinuation<Answer, Never>?

    /// Sends the request and waits for its answer.
    ///
    /// - Parameters:
    ///   - cancelled: the answer if the caller's task is cancelled. The framework receives no request if this happens
    ///     before it is called.
    ///   - send: a closure that sends the request to the framework. The framework may answer on any thread, even before
    ///     it returns.
    func answer(
        whenCancelled cancelled: Answer,
        _ send: @MainActor (VSAccountManager, @escaping @Sendable (Answer) -> Void) -> VSAccountManagerResult?
    ) async -> Answer {
        if Task.isCancelled { return cancelled }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting = continuation
                // The closure retains this request, and with it the manager, until there is an answer.
                pending = send(manager) { answer in Task { @MainActor in self.end(answer) } }
            }
        } onCancel: {
            Task { @MainActor in
                if waiting != nil { pending?.cancel() }
                end(cancelled)
            }
        }
    }

    private func end(_ answer: Answer) {
        waiting?.resume(returning: answer)
        waiting = nil
    }
}

/// A delegate that passes the framework's view controllers to the presenter, each before the framework's call returns,
/// as `VSAccountManager.h` asks.
@MainActor
private final class PlatformDialogDelegate: NSObject, VSAccountManagerDelegate {
    private let presenter: (any AuthenticationPresenter)?
    private var shown: PlatformDialog?
    private var isOver = false

    init(_ presenter: (any AuthenticationPresenter)?) {
        self.presenter = presenter
    }

    /// Dismisses the dialog that is still shown.
    ///
    /// After a cancellation the framework does so only some time later, or not at all.
    func finish() {
        isOver = true
        if let shown { presenter?.dismissPlatformDialog(shown) }
        shown = nil
    }

    // The framework calls its delegate on the main thread, but its headers do not declare this to the compiler.
    nonisolated func accountManager(_ accountManager: VSAccountManager, present viewController: UIViewController) {
        let dialog = PlatformDialog(viewController)
        MainActor.assumeIsolated {
            guard !isOver else { return }
            shown = dialog
            presenter?.presentPlatformDialog(dialog)
        }
    }

    nonisolated func accountManager(_ accountManager: VSAccountManager, dismiss viewController: UIViewController) {
        let dialog = PlatformDialog(viewController)
        MainActor.assumeIsolated {
            guard !isOver else { return }
            shown = nil
            presenter?.dismissPlatformDialog(dialog)
        }
    }
}
#endif
