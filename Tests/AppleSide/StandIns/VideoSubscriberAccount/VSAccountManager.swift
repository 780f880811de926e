import AppleDevice
public import Foundation
import UIKit

/// Asks about the viewer's TV provider account.
///
/// Source of all rules unless another is cited: the comments of VSAccountManager.h, VSAccountMetadata.h and
/// VideoSubscriberAccountErrors.h.
public final class VSAccountManager: NSObject {
    /// Shows the view controllers.
    public weak var delegate: (any VSAccountManagerDelegate)?

    /// Says whether the app may ask, and asks the viewer for permission if allowed.
    ///
    /// Calls the handler once, after this has returned, on any queue; without permission with an error. Without the text for the
    /// viewer it raises (see `current()`), also where the viewer may not be asked, and for options that it does not know.
    /// Reported of the framework: an app without the entitlement, and a storefront without TV providers, get `notDetermined` with an error
    /// that says so, and the viewer is not asked.
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
            // Only a viewer who was never asked is asked.
            if state.account.access == .notDetermined, isPrompt {
                state.account.access = state.account.answer
            }
            return (state.account.access, nil)
        }
        Self.answer {
            if let refusal { return completionHandler(.notDetermined, refusal) }
            switch access {
            case .granted: completionHandler(.granted, nil)
            // Before the question, without an error or with this one: the header can be read both ways.
            case .notDetermined:
                completionHandler(.notDetermined, isPrompt ? nil : Self.error(.accessNotGranted))
            case .restricted: completionHandler(.restricted, Self.error(.accessNotGranted))
            case .denied: completionHandler(.denied, Self.error(.accessNotGranted))
            }
        }
    }

    /// Asks about the account.
    ///
    /// Calls the handler once, after this has returned, on any queue. All requests of a process are in one queue, so that a silent one
    /// waits behind an open dialog. A request that may interrupt needs a delegate, and raises without one.
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
            case .success(let login): completionHandler(Self.metadata(login, question, wants, account), nil)
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

    /// The code of an app without the entitlement is not in the headers.
    private static let missingEntitlement = NSError(domain: VSErrorDomain, code: VSError.Code.accessNotGranted.rawValue)

    /// The device, for an app that may use the framework.
    ///
    /// Said of the framework, not in its headers: without `NSVideoSubscriberAccountUsageDescription` it ends the app. That an app without the
    /// entitlement is told that it has no access is reported, and not in the headers.
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
            // Not in the headers: Adobe's cookbook for platform sign-on treats an answer without a provider as "not
            // signed in".
            return .answer(.success(nil))
        }
        if question.isForced {
            // VSAccountMetadataRequest.h: cached credentials are ignored; VideoSubscriberAccountErrors.h: code 4 where the viewer may
            // not be asked for new ones.
            return question.mayInterrupt ? .dialog : .answer(.failure(error(.providerRejected)))
        }
        // An empty list does not restrict the providers. Source: VSAccountMetadata.h.
        guard question.supported.isEmpty || question.supported.contains(login.providerID) else {
            return .answer(.failure(error(.unsupportedProvider, login.providerID)))
        }
        if let expires = login.expires, expires < Date(), question.verificationToken != nil {
            // The provider requires a password again, and may not ask for it.
            return question.mayInterrupt ? .dialog : .answer(.failure(error(.providerRejected)))
        }
        return .answer(.success(login))
    }

    private static func metadata(
        _ login: TVAccount.Login?, _ question: TVAccountQuestion, _ wants: (id: Bool, expiry: Bool),
        _ account: TVAccount
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

    private static func answer(_ work: @escaping @Sendable () -> Void) { DispatchQueue.global().async(execute: work) }
}
