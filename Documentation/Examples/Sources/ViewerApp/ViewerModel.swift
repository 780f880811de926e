import Foundation
import Observation
import TVEFlowEngine

/// The model of an app's viewer, which its screens show.
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
        /// The number distinguishes a page that opens again from its first opening.
        case page(BrowserPage, number: Int)
        case code(RegistrationCode)
        case loggedIn(Profile)
    }

    private(set) var screen = Screen.starting
    /// The error of which the app must notify the viewer.
    var alert: TVEError?

    /// The answers about the tiles that were on the screen, for one login.
    private var tiles: [Resource: PreauthorizationDecision] = [:]
    /// The provider of that login.
    @ObservationIgnored private var tilesProvider: MVPDID?

    private let session: EntitlementSession
    @ObservationIgnored private var choice: CheckedContinuation<MVPDID?, Never>?
    @ObservationIgnored private var pageEnd: CheckedContinuation<Result<URL?, PageNotOpened>, Never>?
    /// The number of pages that were shown.
    @ObservationIgnored private var pages = 0
    /// The calls that may need the viewer, and show the status when they end.
    @ObservationIgnored private var calls = 0
    /// The calls among them that may log the viewer in.
    private var logins = 0

    /// A Boolean value that indicates whether a login may be running, which the viewer can leave.
    var canLeave: Bool { logins > 0 }

    init(session: EntitlementSession) {
        self.session = session
    }

    /// Finds out who is logged in, whenever the app comes to the foreground.
    func start() async {
        do throws(TVEError) {
            try await session.start()
        } catch {
            alert = error
        }
        await showStatus()
    }

    /// Shows what changes without a call, such as a login that the service ends.
    func listen() async {
        for await event in session.events {
            if case .authentication(let status) = event { showLogin(status) }
        }
    }

    /// Finishes a login whose page was open when the system closed the app.
    func resumeLogin(at url: URL) async {
        do throws(TVEError) {
            // The URL can arrive before the first start has ended.
            try await session.start()
            try await session.resumeLogin(at: url)
        } catch {
            alert = error
        }
        await showStatus()
    }

    func logIn() async {
        calls += 1
        logins += 1
        do throws(TVEError) {
            try await session.authenticate(using: self)
        } catch {
            // The viewer who left knows it.
            if error.code != .providerNotSelected { alert = error }
        }
        calls -= 1
        logins -= 1
        await showStatus()
    }

    /// The media token for the playback back end; nil when the viewer may not watch, who is told why.
    func play(_ resource: Resource) async -> MediaToken? {
        var token: MediaToken?
        calls += 1
        logins += 1
        do throws(TVEError) {
            token = try await session.authorize(resource, using: self)
            // The answer for a playback is newer than that for the tile.
            tiles[resource] = nil
        } catch {
            if error.code != .providerNotSelected { alert = error }
        }
        calls -= 1
        logins -= 1
        await showStatus()
        return token
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
        calls += 1
        do throws(TVEError) {
            try await session.logout(using: self)
        } catch {
            alert = error
        }
        calls -= 1
        await showStatus()
    }

    /// The viewer has pressed "Cancel", which ends the login on every screen.
    func leave() async {
        if choice != nil || pageEnd != nil {
            choose(nil)
            pageEnded(at: nil)
        } else if canLeave {
            // A code is shown, or the login continues behind a picker or a page that has its answer already. A login
            // that has succeeded in the meantime stays.
            if case .authenticated = await session.authenticationStatus() { return }
            _ = try? await session.selectProvider(nil)
        }
    }

    /// The viewer has chosen a TV provider, or none.
    func choose(_ mvpdID: MVPDID?) {
        choice?.resume(returning: mvpdID)
        choice = nil
    }

    /// The browser has ended at a URL, or the viewer has closed it.
    func pageEnded(at url: URL?) {
        pageEnd?.resume(returning: .success(url))
        pageEnd = nil
    }

    /// The browser could not be opened, which is not a decision of the viewer.
    func pageNotOpened(_ reason: PageNotOpened) {
        pageEnd?.resume(returning: .failure(reason))
        pageEnd = nil
    }

    private func showStatus() async { showLogin(await session.authenticationStatus()) }

    /// Shows who is logged in, unless a call may be waiting at a picker, a page or a code.
    private func showLogin(_ status: AuthenticationStatus) {
        guard calls == 0 else { return }
        switch status {
        case .authenticated(let profile):
            forgetTiles(unlessOf: profile.mvpdID)
            screen = .loggedIn(profile)
        case .notAuthenticated:
            forgetTiles(unlessOf: nil)
            screen = .loggedOut
        case .unknown(let error): screen = .unknown(error)
        }
    }

    /// Another provider, or another viewer of the same one, may permit what was denied.
    private func forgetTiles(unlessOf mvpdID: MVPDID?) {
        if mvpdID == nil || mvpdID != tilesProvider { tiles = [:] }
        tilesProvider = mvpdID
    }
}

extension ViewerModel: AuthenticationPresenter {
    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? {
        // A cancelled call shows nothing.
        if Task.isCancelled { return nil }
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

    func presentLogin(_ page: BrowserPage) async throws(PageNotOpened) -> URL? {
        if Task.isCancelled { return nil }
        pages += 1
        screen = .page(page, number: pages)
        let end: Result<URL?, PageNotOpened> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                pageEnd = continuation
                if Task.isCancelled { pageEnded(at: nil) }
            }
        } onCancel: {
            Task { @MainActor in pageEnded(at: nil) }
        }
        return try end.get()
    }

    func presentLogout(_ page: BrowserPage) async {
        // A page that need not be seen may stay hidden; this app shows both kinds.
        _ = try? await presentLogin(page)
    }

    func show(_ code: RegistrationCode) async { screen = .code(code) }

    func hideCode() async { screen = .starting }
}
