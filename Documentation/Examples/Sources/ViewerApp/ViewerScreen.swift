#if canImport(SwiftUI)
import AuthenticationServices
import SwiftUI
import TVEFlowEngine

/// The screens of the view model, which its authors have not compiled: they work on Linux.
struct ViewerScreen: View {
    @State var model: ViewerModel
    /// The tiles that are on the screen.
    var channels: [Resource] = []
    @Environment(\.webAuthenticationSession) private var browser

    var body: some View {
        VStack { content }
            .task { await model.start() }
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
        case .starting: ProgressView()
        case .unknown(let error):
            Text(error.localizedDescription)
            Button("Try again") { Task { await model.start() } }
        case .loggedOut: Button("Log in with your TV provider") { Task { await model.logIn() } }
        case .picker(let providers):
            List(providers, id: \.id) { provider in
                Button(provider.displayName) { model.choose(provider.id) }
            }
            Button("Cancel", role: .cancel) { model.choose(nil) }
        case .page(let page):
            ProgressView().task { await open(page) }
        case .code(let code): Text("Type \(code.code) on another device.")
        case .loggedIn(let profile):
            Text("Logged in with \(profile.mvpdID.text)")
            ForEach(channels, id: \.text) { channel in
                Button(channel.text) { Task { await model.play(channel) } }
                if let reason = model.reason(for: channel) { Text(reason) }
            }
            .task { await model.look(at: channels) }
            Button("Log out") { Task { await model.logOut() } }
        }
    }

    private func open(_ page: BrowserPage) async {
        let end = try? await browser.authenticate(
            using: page.url, callbackURLScheme: page.redirectURL.scheme ?? "")
        model.pageEnded(at: end)
    }
}
#endif
