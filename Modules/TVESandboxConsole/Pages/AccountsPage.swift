import Foundation
import TVEModels
import TVESandbox

/// A page with the values that an app needs to use the sandbox, and with the accounts that can log in.
enum AccountsPage {
    static func page(_ routes: SandboxRoutes, _ request: SandboxRequest) -> ConsolePage {
        let state = routes.state
        let base = "http://\(request.host)"
        let port = request.host.dividedAtLast(":").map { ":\($0.after)" } ?? ""
        let listensAt = routes.gate.host
        let endpoints = [
            ("Classic calls", "\(base)/adobe-services"), ("Async core", base), ("REST API v2", "\(base)/api/v2"),
            ("Activation page", "\(base)/activate"), ("Facts for programs", "\(base)/sandbox/info"),
            ("Description of REST API v2", "\(base)/openapi.json"),
        ].map { name, url in [name, "\(ConsolePage.code(url)) \(copy(url, "the address: \(name)"))"] }
        let providers = state.world.providers.map {
            [
                ConsolePage.code($0.id.text), $0.displayName.escapedForXML,
                $0.login == .none ? "TempPass" : $0.login.rawValue,
            ]
        }
        return ConsolePage(
            view: .accounts, title: "Accounts",
            content: """
                \(ConsolePage.table("Addresses of the service", ifEmpty: "", columns: ["What", "Address"], rows: endpoints))
                <section><h2 id="statement">Software statement</h2>
                <textarea readonly rows="4" aria-labelledby="statement" id="statement-text">\(state.softwareStatement.escapedForXML)</textarea>
                <p class="actions">\(copy(state.softwareStatement, "the software statement"))</p></section>
                \(ViewersSection.html(state.world))
                \(ConsolePage.table("TV providers", ifEmpty: "The world has no TV providers.", columns: ["MVPD", "Name", "Login"], rows: providers))
                <section><h2>Key that signs the tokens</h2><details><summary>Public key</summary><pre tabindex="0">\(ConsolePage.escapedLines(state.key.publicKeyPEM))</pre></details>
                <p class="actions">\(copy(state.key.publicKeyPEM, "the public key"))</p></section>
                \(phone(NetworkAddress.forPhones(listensAt), listensAt: listensAt, port: port))
                """)
    }

    private static func copy(_ text: String, _ what: String) -> String {
        "<button type=\"button\" data-copy=\"\(text.escapedForXML)\" "
            + "aria-label=\"Copy \(what.escapedForXML)\">Copy</button>"
    }

    /// Returns the address of the activation page for a phone, or advice if no phone can reach the sandbox.
    ///
    /// - Parameters:
    ///   - address: the address of this machine for a phone; `nil` if there is none.
    ///   - host: the address at which the sandbox listens; `0.0.0.0` for every network.
    ///   - port: the port with its colon, or an empty text.
    static func phone(_ address: String?, listensAt host: String, port: String) -> String {
        guard let address else {
            let advice =
                host == "0.0.0.0"
                ? """
                This sandbox listens to every network, but this machine has no address that a phone could reach. Connect it to the
                network of the phone, and load this page again.
                """
                : """
                This sandbox listens only to this machine. With <code>tve sandbox --listen</code> a phone in
                the same network can open the activation page, and a QR code for it is shown here.
                """
            return "<section><h2>On a phone</h2><p>\(advice)</p></section>"
        }
        let url = "http://\(address)\(port)/activate"
        let picture = QRCode(url)?.svg(label: "QR code of the activation page") ?? ""
        return """
            <section><h2>On a phone</h2>
            <p class="fault-line"><strong>Every machine in your network can reach this sandbox.</strong> Its accounts are not real: do not type a real password here. Only this machine
            can open the console.</p>
            <p>To type the code of a television, open \(ConsolePage.code(url)) or scan this:</p>
            \(picture)</section>
            """
    }
}
