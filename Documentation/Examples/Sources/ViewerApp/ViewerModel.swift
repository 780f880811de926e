import Foundation
import Observation
import TVEFlowEngine

/// What the screens of an app know about its viewer.
///
/// This target has default isolation `MainActor`, so the class and its state belong to the main actor.
@Observable
final class ViewerModel {
    enum Screen {
        case starting
        /// Nobody can tell whether the viewer is logged in. A login may be stored, so none is offered.
        case unknown(TVEError)
        case loggedOut
        case picker([TVProvider])
        case page(BrowserPage)
        case code(RegistrationCode)
        case loggedIn(Profile)
    }

    private(set) var screen = Screen.starting
    /// What the viewer must be told.
    var alert: TVEError?

    /// What is known about the tiles that were on the screen.
    private var tiles: [Resource: PreauthorizationDecision] = [:]

    private let session: EntitlementSession
    @ObservationIgnored private var choice: CheckedContinuation<MVPDID?, Never>?
    @ObservationIgnored private var pageEnd: CheckedContinuation<URL?, Never>?

    init(session: EntitlementSession) {
        self.session = session
    }

    func start() async {
        do throws(TVEError) {
            try await session.start()
        } catch {
            alert = error
        }
        await showStatus()
    }

    func logIn() async {
        do throws(TVEError) {
            try await session.authenticate(using: self)
        } catch {
            // The viewer who left knows it.
            if error.code != .providerNotSelected { alert = error }
        }
        await showStatus()
    }

    /// The media token for the playback back end; nil when the viewer may not watch, who is told why.
    func play(_ resource: Resource) async -> MediaToken? {
        do throws(TVEError) {
            let token = try await session.authorize(resource, using: self)
            await showStatus()
            return token
        } catch {
            if error.code != .providerNotSelected { alert = error }
            await showStatus()
            return nil
        }
    }

    /// Marks the tiles that are on the screen.
    func look(at resources: [Resource]) async {
        do throws(TVEError) {
            for decision in try await session.preauthorize(resources) { tiles[decision.resource] = decision }
        } catch {
            // An unmarked tile can be pressed: the authorization says what is wrong.
        }
    }

    /// The text of a tile that cannot be played.
    func reason(for resource: Resource) -> String? { tiles[resource]?.denial?.localizedDescription }

    func logOut() async {
        do throws(TVEError) {
            try await session.logout(using: self)
        } catch {
            alert = error
        }
        await showStatus()
    }

    /// The viewer has chosen a TV provider, or none.
    func choose(_ mvpdID: MVPDID?) {
        choice?.resume(returning: mvpdID)
        choice = nil
    }

    /// The browser has ended at a URL, or the viewer has closed it.
    func pageEnded(at url: URL?) {
        pageEnd?.resume(returning: url)
        pageEnd = nil
    }

    private func showStatus() async {
        screen =
            switch await session.authenticationStatus() {
            case .authenticated(let profile): .loggedIn(profile)
            case .notAuthenticated: .loggedOut
            case .unknown(let error): .unknown(error)
            }
    }
}

extension ViewerModel: AuthenticationPresenter {
    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? {
        screen = .picker(providers)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                choice = continuation
                if Task.isCancelled { choose(nil) }
            }
        } onCancel: {
            Task { @MainActor in choose(nil) }
        }
    }

    func presentLogin(_ page: BrowserPage) async -> URL? {
        screen = .page(page)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                pageEnd = continuation
                if Task.isCancelled { pageEnded(at: nil) }
            }
        } onCancel: {
            Task { @MainActor in pageEnded(at: nil) }
        }
    }

    func presentLogout(_ page: BrowserPage) async {
        // A page that need not be seen may stay hidden; this app shows both kinds.
        _ = await presentLogin(page)
    }

    func show(_ code: RegistrationCode) async { screen = .code(code) }

    func hideCode() async { screen = .starting }
}
