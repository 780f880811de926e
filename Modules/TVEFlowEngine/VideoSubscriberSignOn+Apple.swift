#if canImport(VideoSubscriberAccount) && !os(macOS)
import Foundation
import TVEModels
import UIKit
import VideoSubscriberAccount

/// The TV provider account of iOS and tvOS, through the VideoSubscriberAccount framework.
///
/// The app needs the single sign-on entitlement and `NSVideoSubscriberAccountUsageDescription`.
public final class VideoSubscriberSignOn: PlatformSignOn {
    /// Makes a sign-on; nothing is asked before the first call.
    public init() {}

    /// Whether the app may ask about the viewer's TV provider.
    ///
    /// - Parameter mayAsk: whether the system may ask the viewer for permission.
    /// - Returns: the viewer's decision.
    public func access(mayAsk: Bool) async -> PlatformAccess {
        await withCheckedContinuation { continuation in
            let manager = VSAccountManager()
            manager.checkAccessStatus(options: [.prompt: mayAsk]) { status, _ in
                // Held until it has answered.
                withExtendedLifetime(manager) {}
                switch status {
                case .granted: continuation.resume(returning: .granted)
                case .notDetermined: continuation.resume(returning: .undetermined)
                default: continuation.resume(returning: .denied)
                }
            }
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
        let result = await withCheckedContinuation { continuation in
            let manager = VSAccountManager()
            let dialogs = PlatformDialogDelegate(presenter)
            manager.delegate = dialogs
            manager.enqueue(Self.metadataRequest(request)) { metadata, error in
                withExtendedLifetime((manager, dialogs)) {}
                continuation.resume(returning: Self.result(metadata, error))
            }
        }
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
        switch error.code {
        case VSError.Code.accessNotGranted.rawValue: .accessNotGranted
        case VSError.Code.unsupportedProvider.rawValue:
            .unsupportedProvider(id: error.userInfo[VSErrorInfoKeyUnsupportedProviderIdentifier] as? String)
        case VSError.Code.userCancelled.rawValue: .cancelled
        default: .failed("\(error.domain) \(error.code)")
        }
    }
}

/// Hands the framework's view controllers to whoever shows the login.
///
/// Unchecked, because the framework's delegate is not `Sendable`: nothing of it changes.
private final class PlatformDialogDelegate: NSObject, VSAccountManagerDelegate, @unchecked Sendable {
    private let presenter: (any AuthenticationPresenter)?

    init(_ presenter: (any AuthenticationPresenter)?) {
        self.presenter = presenter
    }

    func accountManager(_ accountManager: VSAccountManager, present viewController: UIViewController) {
        let dialog = PlatformDialog(viewController)
        Task { [presenter] in await presenter?.presentPlatformDialog(dialog) }
    }

    func accountManager(_ accountManager: VSAccountManager, dismiss viewController: UIViewController) {
        let dialog = PlatformDialog(viewController)
        Task { [presenter] in await presenter?.dismissPlatformDialog(dialog) }
    }
}
#endif
