import AccessEnabler
import Foundation
import HTTPTypes
import TVEFlowEngine
import TVENetworking
import TVETokenVerification

// Every protocol of the package whose requirements are async, as a class with state on the main actor: the default
// isolation of this target, as of a new app. Nothing here says `@preconcurrency` or `@unchecked`. A class whose own
// declaration names a protocol that is `Sendable` does not get that isolation by default, so it says `@MainActor`. A
// class that conforms in an extension, as the model of `ViewerApp` does, need not say it.

@MainActor final class Screens: AuthenticationPresenter {
    private var shown: [String] = []

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? {
        shown.append("picker")
        return providers.first?.id
    }

    func presentLogin(_ page: BrowserPage) async -> URL? {
        shown.append("login")
        return page.redirectURL
    }

    func presentLogout(_ page: BrowserPage) async { shown.append("logout") }
    func show(_ code: RegistrationCode) async { shown.append(code.code) }
    func hideCode() async { shown.append("no code") }
    func showAgain() async { shown.append("again") }
    func presentPlatformDialog(_ dialog: PlatformDialog) { shown.append("dialog") }
    func dismissPlatformDialog(_ dialog: PlatformDialog) { shown.append("no dialog") }
}

@MainActor final class Television: SecondScreenPresenter {
    private var code: String?

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { providers.first?.id }
    func show(_ code: RegistrationCode) async { self.code = code.code }
    func hideCode() async { code = nil }
}

@MainActor final class SystemAccount: PlatformSignOn {
    private var questions = 0

    var settingsURL: URL? { questions > 0 ? URL(string: "example://settings") : nil }

    func access(mayAsk: Bool) async -> PlatformAccess {
        questions += 1
        return .denied
    }

    func account(
        _ request: PlatformAccountRequest, presenter: (any AuthenticationPresenter)?
    ) async throws(PlatformSignOnError) -> PlatformAccount {
        questions += 1
        throw .notOffered
    }
}

@MainActor final class Browser: AutomaticBrowser {
    private var opened = 0

    func canOpen(_ page: BrowserPage) async -> Bool { opened < 10 }

    func open(_ page: BrowserPage) async -> URL? {
        opened += 1
        return nil
    }
}

@MainActor final class CountingTransport: HTTPTransport {
    private var sent = 0

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        sent += 1
        throw .unreachable
    }
}

@MainActor final class SpentTokens: MediaTokenUses {
    private var spent: Set<Data> = []

    func spend(_ use: MediaTokenUse, at now: Date) async throws -> MediaTokenUseOutcome {
        spent.insert(use.digest).inserted ? .granted : .refused(.spent)
    }
}

final class Player: NSObject, EntitlementDelegate, EntitlementStatus {
    private let accessEnabler = AccessEnabler("statement")
    private var heard: [String] = []

    func start() {
        accessEnabler.delegate = self
        accessEnabler.statusDelegate = self
    }

    func setRequestorComplete(_ status: Int32) { heard.append("setRequestorComplete") }
    func setAuthenticationStatus(_ status: Int32, errorCode code: String!) { heard.append(code) }
    func displayProviderDialog(_ mvpds: [Any]!) { accessEnabler.setSelectedProvider(nil) }
    func navigate(toUrl url: String!) { heard.append(url) }
    func presentTvProviderDialog(_ viewController: PlatformViewController!) {}
    func dismissTvProviderDialog(_ viewController: PlatformViewController!) {}
    func selectedProvider(_ mvpd: MVPD!) {}
    func setToken(_ token: String!, forResource resource: String!) { heard.append(resource) }
    func tokenRequestFailed(_ resource: String!, errorCode code: String!, errorDescription description: String!) {}
    func preauthorizedResources(_ resources: [Any]!) {}
    func setMetadataStatus(
        _ metadata: Any!, encrypted: Bool, forKey key: Int32, andArguments arguments: [AnyHashable: Any]!
    ) {}
    func sendTrackingData(_ data: [Any]!, forEventType event: Int32) { heard.append("\(event)") }
    func status(_ statusDictionary: [AnyHashable: Any]!) { heard.append("status") }
}
