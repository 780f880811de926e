import AppleDevice
public import Foundation
import UIKit

/// The app's access to the viewer's TV provider account.
///
/// Source of all rules unless another is cited: the comments of VSAccountManager.h, VSAccountMetadata.h and
/// VideoSubscriberAccountErrors.h.
public final class VSAccountManager: NSObject {
    /// The delegate that presents the view controllers.
    public weak var delegate: (any VSAccountManagerDelegate)?

    /// Returns the app's permission to read the account, and asks the viewer for it if the options allow that.
    ///
    /// The handler is called once, on any queue, and possibly before this method returns. Without permission it
    /// receives an error. The method raises an exception for unknown options and, even if the viewer may not be asked,
    /// without the usage text for the viewer (see `current()`). The framework is reported to answer `notDetermined`,
    /// with an error that states the reason and without asking the viewer, for an app without the entitlement and in a
    /// storefront without TV providers.
    public func checkAccessStatus(
        options: [VSCheckAccessOption: Any],
        completionHandler: @escaping @Sendable (VSAccountAccessStatus, (any Error)?) -> Void
    ) {
        guard Set(options.keys).isSubset(of: [.prompt]), options.values.allSatisfy({ $0 is Bool }) else {
            fatalError("Exception: unknown option, or a prompt that is no Boolean object: \(options)")
        }
        let isPrompt = options[.prompt] as? Bool == true
        let device = Self.current()
        let (access, refusal) = device.with { state -> (TVAccount.Access, NSError?) in
            if state.running?.maySignOn != true { return (.notDetermined, Self.missingEntitlement) }
            if let error = state.account.accessFailure { return (.notDetermined, error) }
            // The viewer is asked only once.
            if state.account.access == .notDetermined, isPrompt {
                state.account.access = state.account.answer
            }
            return (state.account.access, nil)
        }
        Self.answer {
            if let refusal { return completionHandler(.notDetermined, refusal) }
            switch access {
            case .granted: completionHandler(.granted, nil)
            // The header can be read both ways: before the viewer is asked there is no error, or this one.
            case .notDetermined:
                completionHandler(.notDetermined, isPrompt ? nil : Self.error(.accessNotGranted))
            case .restricted: completionHandler(.restricted, Self.error(.accessNotGranted))
            case .denied: completionHandler(.denied, Self.error(.accessNotGranted))
            }
        }
    }

    /// Requests facts about the account.
    ///
    /// The handler is called once, on any queue, and possibly before this method returns. All requests of a process are
    /// in one queue, so a silent request waits for an open dialog. A request that may interrupt needs a delegate, and
    /// raises an exception without one.
    @discardableResult
    public func enqueue(
        _ request: VSAccountMetadataRequest,
        completionHandler: @escaping @Sendable (VSAccountMetadata?, (any Error)?) -> Void
    ) -> VSAccountManagerResult {
        let question = TVAccountQuestion(
            channel: request.channelIdentifier, supported: request.supportedAccountProviderIdentifiers,
            featured: request.featuredAccountProviderIdentifiers, verificationToken: request.verificationToken,
            attributes: request.attributeNames, mayInterrupt: request.isInterruptionAllowed,
            isForced: request.forceAuthentication,
            ownProviders: request.applicationAccountProviders?.map(\.identifier))
        let wants = (request.includeAccountProviderIdentifier, request.includeAuthenticationExpirationDate)
        if question.mayInterrupt, delegate == nil {
            fatalError("Exception: a request that may interrupt needs a delegate")
        }
        let device = Self.current()
        device.with { $0.questions.append(question) }
        let request = RunningRequest(self, delegate)
        let finish: @Sendable (Result<TVAccount.Login?, NSError>) -> Void = { result in
            let account = device.with(\.account)
            switch result {
            case .failure(let error): completionHandler(nil, error)
            case .success(let login):
                let metadata = Self.metadata(of: login, for: question, wants: wants, account: account)
                completionHandler(metadata, nil)
            }
            device.endAccountRequest()
        }
        device.beginAccountRequest {
            if request.wasCancelled { return finish(.failure(Self.error(.userCancelled))) }
            let account = device.with(\.account)
            switch Self.silentAnswer(account, question) {
            case .answer(let result): Self.answer { finish(result) }
            case .dialog: request.open(account.choice, finish)
            }
        }
        return VSAccountManagerResult { request.cancel() }
    }

    /// The error for an app without the entitlement, whose code the headers do not state.
    private static let missingEntitlement = NSError(domain: VSErrorDomain, code: VSError.Code.accessNotGranted.rawValue)

    /// Returns the device, or ends an app that may not use the framework.
    ///
    /// The headers describe neither of the following: the framework is reported to end an app without
    /// `NSVideoSubscriberAccountUsageDescription`, and to tell an app without the entitlement that it has no access.
    private static func current() -> AppleDevice {
        let device = AppleDevice.current
        guard device.with({ $0.running?.infoPlist["NSVideoSubscriberAccountUsageDescription"] }) != nil else {
            fatalError("Exception: this app's Info.plist must contain an NSVideoSubscriberAccountUsageDescription key")
        }
        return device
    }

    private enum Next {
        case answer(Result<TVAccount.Login?, NSError>)
        case dialog
    }

    private static func silentAnswer(_ account: TVAccount, _ question: TVAccountQuestion) -> Next {
        let mayAsk = AppleDevice.current.with { $0.running?.maySignOn == true }
        guard mayAsk, account.access == .granted else { return .answer(.failure(error(.accessNotGranted))) }
        if let failure = account.failure { return .answer(.failure(failure)) }
        guard let login = account.login else {
            if question.mayInterrupt { return .dialog }
            if let code = account.silentFailure { return .answer(.failure(NSError(domain: VSErrorDomain, code: code))) }
            // The headers do not describe this case. Adobe's cookbook for platform sign-on treats an answer without a
            // provider as "not signed in".
            return .answer(.success(nil))
        }
        if question.isForced {
            // Sources: VSAccountMetadataRequest.h (cached credentials are ignored) and VideoSubscriberAccountErrors.h
            // (the code is 4 if the viewer may not be asked for new ones).
            return question.mayInterrupt ? .dialog : .answer(.failure(error(.providerRejected)))
        }
        // An empty list does not restrict the providers. Source: VSAccountMetadata.h.
        guard question.supported.isEmpty || question.supported.contains(login.providerID) else {
            return .answer(.failure(error(.unsupportedProvider, login.providerID)))
        }
        if let expires = login.expires, expires < Date(), question.verificationToken != nil {
            // The provider requires a password again. A silent request may not ask for it.
            return question.mayInterrupt ? .dialog : .answer(.failure(error(.providerRejected)))
        }
        return .answer(.success(login))
    }

    private static func metadata(
        of login: TVAccount.Login?, for question: TVAccountQuestion, wants: (id: Bool, expiry: Bool),
        account: TVAccount
    ) -> VSAccountMetadata {
        let metadata = VSAccountMetadata()
        guard let login else { return metadata }
        if wants.id { metadata.accountProviderIdentifier = login.providerID }
        if wants.expiry { metadata.authenticationExpirationDate = login.expires }
        guard let token = question.verificationToken else { return metadata }
        switch account.proof {
        case .saml: metadata.samlAttributeQueryResponse = account.saml(token)
        case .verificationData: metadata.verificationData = Data(account.saml(token).utf8)
        case .none: break
        }
        return metadata
    }

    static func error(_ code: VSError.Code, _ providerID: String? = nil) -> NSError {
        NSError(
            domain: VSErrorDomain, code: code.rawValue,
            userInfo: providerID.map { [VSErrorInfoKeyUnsupportedProviderIdentifier: $0] } ?? [:])
    }

    private static func answer(_ work: @escaping @Sendable () -> Void) {
        if AppleDevice.current.with(\.account.answersAtOnce) { return work() }
        DispatchQueue.global().async(execute: work)
    }
}
