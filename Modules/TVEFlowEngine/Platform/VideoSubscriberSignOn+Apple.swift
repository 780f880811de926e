#if canImport(VideoSubscriberAccount) && !os(macOS)
import Foundation
import TVEModels
import UIKit
import VideoSubscriberAccount

/// The TV provider account of iOS and tvOS, through the VideoSubscriberAccount framework.
///
/// The app needs the single sign-on entitlement and `NSVideoSubscriberAccountUsageDescription`.
public final class VideoSubscriberSignOn: PlatformSignOn {
    /// Makes a sign-on; nothing is requested before the first call.
    public init() {}

    /// Whether the app may ask about the viewer's TV provider.
    ///
    /// - Parameter mayAsk: whether the system may ask the viewer for permission.
    /// - Returns: the viewer's decision.
    public func access(mayAsk: Bool) async -> PlatformAccess {
        let answer = Answer<PlatformAccess>()
        let manager = Held(VSAccountManager())
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.wait(continuation)
                manager.value.checkAccessStatus(options: [.prompt: mayAsk]) { @Sendable status, _ in
                    // Kept alive until it has answered.
                    withExtendedLifetime(manager) {}
                    answer.give(status == .granted ? .granted : status == .notDetermined ? .undetermined : .denied)
                }
            }
        } onCancel: {
            answer.give(.undetermined)
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
        let answer = Answer<Result<PlatformAccount, PlatformSignOnError>>()
        let manager = Held(VSAccountManager())
        let dialogs = PlatformDialogDelegate()
        manager.value.delegate = dialogs
        async let shown: Void = dialogs.show(with: presenter)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.wait(continuation)
                let pending = manager.value.enqueue(Self.metadataRequest(request)) { @Sendable metadata, error in
                    withExtendedLifetime((manager, dialogs)) {}
                    answer.give(Self.result(metadata, error))
                }
                answer.cancels(with: Held(pending))
            }
        } onCancel: {
            answer.cancel(giving: .failure(.cancelled))
        }
        // The current dialog is dismissed before anything else is shown.
        dialogs.finish()
        await shown
        return try result.get()
    }

    private static func metadataRequest(_ request: PlatformAccountRequest) -> VSAccountMetadataRequest {
        let metadata = VSAccountMetadataRequest()
        metadata.channelIdentifier = request.channelID
        metadata.supportedAccountProviderIdentifiers = request.supportedProviderIDs
        metadata.featuredAccountProviderIdentifiers = request.featuredProviderIDs
        metadata.isInterruptionAllowed = request.mayInterrupt
        metadata.includeAccountProviderIdentifier = true
        metadata.includeAuthenticationExpirationDate = true
        metadata.attributeNames = request.attributeNames
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
        default: .failed("\(error.domain) \(error.code)")
        }
    }
}

/// An object of the framework, which is not `Sendable`.
///
/// Unchecked: it is made and used here, and cancelled, which the framework allows from any thread.
private struct Held<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

/// An answer that is given once: by the framework, or by a caller that stops waiting.
private final class Answer<Value: Sendable>: Sendable {
    private struct State {
        var waiting: CheckedContinuation<Value, Never>?
        var given: Value?
        var pending: Held<VSAccountManagerResult>?
    }

    private let state = Guarded(State())

    func wait(_ continuation: CheckedContinuation<Value, Never>) {
        let given = state.withLock { state -> Value? in
            if state.given == nil { state.waiting = continuation }
            return state.given
        }
        if let given { continuation.resume(returning: given) }
    }

    func give(_ value: Value) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
            guard state.given == nil else { return nil }
            state.given = value
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: value)
    }

    /// Sets what to cancel when the caller stops waiting.
    func cancels(with pending: Held<VSAccountManagerResult>) {
        let isLate = state.withLock { state in
            state.pending = pending
            return state.given != nil
        }
        if isLate { pending.value.cancel() }
    }

    func cancel(giving value: Value) {
        state.withLock(\.pending)?.value.cancel()
        give(value)
    }
}

/// Passes the framework's view controllers to the presenter, in the framework's order.
///
/// Unchecked, because the framework's delegate is not `Sendable`: its state never changes.
private final class PlatformDialogDelegate: NSObject, VSAccountManagerDelegate, @unchecked Sendable {
    private enum Step: Sendable {
        case present(PlatformDialog), dismiss(PlatformDialog)
    }

    private let steps = AsyncStream<Step>.makeStream()

    /// Shows and dismisses dialogs until ``finish()``; then dismisses what is still shown.
    ///
    /// The framework dismisses its dialog some time after a request was cancelled, or not at all.
    func show(with presenter: (any AuthenticationPresenter)?) async {
        var shown: PlatformDialog?
        for await step in steps.stream {
            switch step {
            case .present(let dialog):
                // An app that was told of a cancel must not see what was cancelled.
                if Task.isCancelled { continue }
                shown = dialog
                await presenter?.presentPlatformDialog(dialog)
            case .dismiss(let dialog):
                shown = nil
                await presenter?.dismissPlatformDialog(dialog)
            }
        }
        if let shown { await presenter?.dismissPlatformDialog(shown) }
    }

    func finish() { steps.continuation.finish() }

    func accountManager(_ accountManager: VSAccountManager, present viewController: UIViewController) {
        steps.continuation.yield(.present(PlatformDialog(viewController)))
    }

    func accountManager(_ accountManager: VSAccountManager, dismiss viewController: UIViewController) {
        steps.continuation.yield(.dismiss(PlatformDialog(viewController)))
    }
}
#endif
