import Foundation
import TVEModels
import TVENetworking

extension EntitlementSession {
    /// Shows a code and asks for the token until somebody has typed it elsewhere (API reference, rows TV1 to TV7).
    func secondScreenLogin(
        _ mvpdID: String, _ presenter: any AuthenticationPresenter, _ terms: LoginTerms
    ) async throws(TVEError) -> (AuthenticationToken, UserMetadata?) {
        let service = try configuredServices().service(of: mvpdID)
        var request = LoginRequest(requestorID: requestorID, mvpdID: mvpdID, kind: .secondScreen, data: terms.data)
        request.isForced = terms.isForced
        do throws(TVEError) {
            for _ in 0..<Self.codesPerLogin {
                defer { request.isForced = false }
                let left = try unfinishedLogouts()
                let page = try await served(.login) { () async throws(ServiceError) in try await service.login(request)
                }
                settleLogouts(mvpdID, service, asOf: left)
                guard page.needsViewer else {
                    return try await served(.login) { () async throws(ServiceError) in
                        try await service.authentication(of: page)
                    }
                }
                let code = ActivationCode(code: page.registrationCode, mvpdID: mvpdID, expires: page.expires)
                activationCode = code
                announce(code)
                await presenter.show(code)
                if let login = try await poll(page, service) {
                    await hideCode(presenter)
                    return login
                }
            }
            throw TVEError(
                .authenticationFailed, status: .noTokenOnSession, message: "Nobody typed the code in while it lasted.")
        } catch {
            await hideCode(presenter)
            throw error
        }
    }

    private func hideCode(_ presenter: any AuthenticationPresenter) async {
        activationCode = nil
        await presenter.show(nil)
    }

    /// Asks for the token of a code until it is there; nil when the code has run out.
    private func poll(
        _ page: LoginPage, _ service: any EntitlementService
    ) async throws(TVEError) -> (AuthenticationToken, UserMetadata?)? {
        while clock.now() < page.expires {
            try? await clock.sleep(Self.pollingInterval)
            guard !Task.isCancelled else { throw Self.abandoned }
            do throws(ServiceError) {
                return try await service.authentication(of: page)
            } catch {
                // Not to be reached just now: the code lasts longer than most failures.
                if error.mayPass { continue }
                // The service's clock may be ahead of ours: a code that is about to run out has run out.
                if error.meansCodeIsOver, page.expires.timeIntervalSince(clock.now()) < Self.toleratedHaste {
                    return nil
                }
                guard error.meansNotYet else { throw TVEError(error, during: .login) }
            }
        }
        return nil
    }

    /// Between two questions; the documents ask for three to five seconds.
    private static let pollingInterval = Duration.seconds(5)
    /// Seconds by which a code may run out before its time.
    private static let toleratedHaste: TimeInterval = 60
    /// A code lasts half an hour, and a television may be left on.
    private static let codesPerLogin = 4
}
