#if canImport(VideoSubscriberAccount) && !os(macOS) && !targetEnvironment(macCatalyst)
public import Foundation
import TVEModels
import UIKit
import VideoSubscriberAccount

/// The TV provider account of iOS and tvOS, through the VideoSubscriberAccount framework.
///
/// The app needs the single sign-on entitlement and `NSVideoSubscriberAccountUsageDescription`.
public final class VideoSubscriberSignOn: PlatformSignOn {
    /// Makes a sign-on; nothing is requested before the first call.
    ///
    /// - Returns: nil when the app's Info.plist has no text for `NSVideoSubscriberAccountUsageDescription`. Without it the
    ///   framework ends the app at the first question, even at a silent one, and a service's configuration decides
    ///   whether there is one.
    public init?() {
        let text = CFBundleGetValueForInfoDictionaryKey(
            CFBundleGetMainBundle(), "NSVideoSubscriberAccountUsageDescription" as CFString)
        guard let text = text as? String, !text.isEmpty else { return nil }
    }

    /// Whether the app may ask about the viewer's TV provider.
    ///
    /// - Parameter mayAsk: whether the system may ask the viewer for permission.
    /// - Returns: the viewer's decision.
    public func access(mayAsk: Bool) async -> PlatformAccess {
        await Question().answer(whenCancelled: .undetermined) { manager, give in
            manager.checkAccessStatus(options: [.prompt: mayAsk]) { @Sendable status, error in
                give(Self.access(status, error as NSError?, wasAsked: mayAsk))
            }
            return nil
        }
    }

    /// What the framework's answer means; its error first, which is all that tells a missing entitlement, or a country
    /// without TV providers, from a viewer who was not asked: the status of all three is `notDetermined`.
    private static func access(
        _ status: VSAccountAccessStatus, _ error: NSError?, wasAsked: Bool
    ) -> PlatformAccess {
        let code = error?.domain == VSErrorDomain ? error?.code : nil
        if code == VSError.Code.unsupported.rawValue { return .notOffered }
        switch status {
        case .granted: return .granted
        case .restricted: return .restricted
        case .notDetermined:
            // Before the question, "not granted" says no more than the status.
            guard let error, wasAsked || code != VSError.Code.accessNotGranted.rawValue else { return .undetermined }
            return .failed(domain: error.domain, code: error.code)
        default: return .denied
        }
    }

    /// Asks about the viewer's account; see ``PlatformSignOn``.
    ///
    /// - Parameters:
    ///   - request: what to ask, and whether the system may show its picker or login.
    ///   - presenter: shows what the system wants to show.
    /// - Returns: the account.
    /// - Throws: ``PlatformSignOnError``.
    public func account(
        _ request: PlatformAccountRequest, presenter: (any AuthenticationPresenter)?
    ) async throws(PlatformSignOnError) -> PlatformAccount {
        let dialogs = await PlatformDialogDelegate(presenter)
        let result = await Question().answer(whenCancelled: .failure(.cancelled)) { manager, give in
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

    /// The TV provider in the system's settings.
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

    /// The framework's codes (sign-on notes of the reference): 1 with an id is a provider that it only lists.
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

/// One question to the framework, answered once: by the framework, or because its caller stops waiting.
///
/// On the main actor with all objects of the framework: `cancel()` takes a dialog away at once, and UIKit raises on other
/// threads.
@MainActor
private final class Question<Answer: Sendable> {
    private let manager = VSAccountManager()
    private var pending: VSAccountManagerResult?
    private var waiting: CheckedContinuation<Answer, Never>?
    private var isOver = false

    /// - Parameters:
    ///   - cancelled: the answer when the caller's task is cancelled; then the framework is not asked any more.
    ///   - ask: asks the framework, which may answer on any thread and before it returns.
    func answer(
        whenCancelled cancelled: Answer,
        _ ask: @MainActor (VSAccountManager, @escaping @Sendable (Answer) -> Void) -> VSAccountManagerResult?
    ) async -> Answer {
        if Task.isCancelled { return cancelled }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting = continuation
                // Keeps the question, and with it the manager, until there is an answer.
                pending = ask(manager) { answer in Task { @MainActor in self.end(answer) } }
            }
        } onCancel: {
            Task { @MainActor in
                if !isOver { pending?.cancel() }
                end(cancelled)
            }
        }
    }

    private func end(_ answer: Answer) {
        isOver = true
        waiting?.resume(returning: answer)
        waiting = nil
    }
}

/// Passes the framework's view controllers to the presenter, each before the framework's call returns, as
/// `VSAccountManager.h` asks.
@MainActor
private final class PlatformDialogDelegate: NSObject, VSAccountManagerDelegate {
    private let presenter: (any AuthenticationPresenter)?
    private var shown: PlatformDialog?
    private var isOver = false

    init(_ presenter: (any AuthenticationPresenter)?) {
        self.presenter = presenter
    }

    /// Dismisses what is still shown: the framework does so some time after a request was cancelled, or not at all.
    func finish() {
        isOver = true
        if let shown { presenter?.dismissPlatformDialog(shown) }
        shown = nil
    }

    // The framework calls its delegate on the main thread, which its headers do not say to the compiler.
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
            shown = nil
            presenter?.dismissPlatformDialog(dialog)
        }
    }
}
#endif
