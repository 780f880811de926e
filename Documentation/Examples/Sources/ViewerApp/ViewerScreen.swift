#if canImport(SwiftUI)
import AuthenticationServices
import SwiftUI
import TVEFlowEngine

/// The screens of the view model, which its authors have not compiled: they work on Linux.
struct ViewerScreen: View {
    @State var model: ViewerModel
    /// The tiles that are on the screen.
    var channels: [Resource] = []
    /// Starts the stream of a channel with the media token that the playback back end verifies.
    let startStream: (Resource, MediaToken) -> Void
    @Environment(\.webAuthenticationSession) private var browser
    @Environment(\.scenePhase) private var phase

    var body: some View {
        VStack { content }
            // Not a task of the view: the system's own dialogs would cancel it.
            .onChange(of: phase, initial: true) {
                if phase == .active { Task { await model.start() } }
            }
            .task { await model.listen() }
            .onOpenURL { url in Task { await model.resumeLogin(at: url) } }
            .alert(
                isPresented: Binding {
                    model.alert != nil
                } set: {
                    if !$0 { model.alert = nil }
                }, error: model.alert
            ) { _ in
                Button("OK") { model.alert = nil }
            } message: { error in
                // The provider's words or a sentence are the title already.
                Text(error.recoverySuggestion ?? "")
            }
    }

    @ViewBuilder private var content: some View {
        switch model.screen {
        case .starting:
            ProgressView()
            // A code has ended, and the next one waits for the network.
            if model.canLeave { cancel }
        case .unknown(let error):
            Text(error.localizedDescription)
            Button("Try again") { Task { await model.start() } }
        case .loggedOut: Button("Log in with your TV provider") { Task { await model.logIn() } }
        case .picker(let providers):
            List(providers, id: \.id) { provider in
                Button(provider.displayName) { model.choose(provider.id) }
            }
            cancel
        case .page(let page, let number):
            // A page can be followed by another one, or by itself: each time has a task of its own.
            ProgressView().task(id: number) { await open(page, number) }
            // For a browser that has gone without a word, and for a login that comes late or never.
            cancel
        case .code(let code):
            Text("Type \(code.code) on another device.")
            if let address = code.activationURL { Text("Go to \(address.absoluteString).") }
            cancel
        case .loggedIn(let profile):
            Text("Logged in with \(profile.mvpdID.text)")
            VStack {
                ForEach(channels, id: \.text) { channel in
                    Button(channel.text) {
                        Task { if let token = await model.play(channel) { startStream(channel, token) } }
                    }
                    if let reason = model.reason(for: channel) { Text(reason) }
                }
            }
            // Another login asks again.
            .task(id: [profile.mvpdID.text] + channels.map(\.text)) { await model.look(at: channels) }
            Button("Log out") { Task { await model.logOut() } }
        }
    }

    private var cancel: some View {
        Button("Cancel", role: .cancel) { Task { await model.leave() } }
    }

    /// For a redirect with a scheme of the app's own.
    private func open(_ page: BrowserPage, _ number: Int) async {
        do {
            // A browser returns schemes in lower case, and the id of an application has capital letters.
            let scheme = page.redirectURL.scheme?.lowercased() ?? ""
            let end = try await browser.authenticate(using: page.url, callbackURLScheme: scheme)
            if isShown(number) { model.pageEnded(at: end) }
        } catch {
            guard isShown(number) else { return }
            let fault = error as NSError
            // The system uses the same code for a page that it refuses, and then it gives a reason.
            let isCancel =
                (error as? ASWebAuthenticationSessionError)?.code == .canceledLogin
                && fault.userInfo[NSLocalizedFailureReasonErrorKey] == nil
            let hasLeft = Task.isCancelled || isCancel
            if hasLeft {
                model.pageEnded(at: nil)
            } else {
                model.pageNotOpened(PageNotOpened("\(fault.domain) \(fault.code)"))
            }
        }
    }

    /// Another page may have taken the place of one whose browser ends late.
    private func isShown(_ number: Int) -> Bool {
        if case .page(_, let shown) = model.screen { shown == number } else { false }
    }
}
#endif
