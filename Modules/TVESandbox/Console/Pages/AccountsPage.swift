import Foundation
import TVEModels

/// The values for an app, and the accounts that can log in.
enum AccountsPage {
    static func page(_ router: SandboxRouter, _ request: SandboxRequest) -> ConsolePage {
        let state = router.state
        let base = "http://\(SandboxInfo.host(request))"
        let endpoints = [
            ("Service provider", "\(base)/adobe-services"), ("REST API v2", "\(base)/api/v2"),
            ("Activation page", "\(base)/activate"), ("Facts for programs", "\(base)/sandbox/info"),
            ("Description of REST API v2", "\(base)/openapi.json"),
        ].map { name, url in ["\(name)", "<code>\(url.escapedForXML)</code> \(copy(url, "the address: \(name)"))"] }
        let viewers = state.world.viewers.map {
            [
                "<code>\($0.name.escapedForXML)</code>", "<code>\($0.password.escapedForXML)</code>",
                $0.resources.joined(separator: ", ").escapedForXML, ($0.zip ?? "").escapedForXML,
            ]
        }
        let providers = state.world.providers.map {
            [
                "<code>\($0.id.escapedForXML)</code>", $0.displayName.escapedForXML,
                $0.login == .none ? "TempPass" : $0.login.rawValue,
            ]
        }
        return ConsolePage(
            view: .accounts, title: "Accounts",
            content: """
                \(DevicesPage.table("Where the service is", "", ["What", "Address"], endpoints))
                <section><h2 id="statement">Software statement</h2>
                <textarea readonly rows="4" aria-labelledby="statement" id="statement-text">\(state.softwareStatement.escapedForXML)</textarea>
                <p class="actions">\(copy(state.softwareStatement, "the software statement"))</p></section>
                \(DevicesPage.table("Who can log in", "The world has no viewers.", ["User", "Password", "May watch", "Zip"], viewers))
                \(DevicesPage.table("TV providers", "The world has none.", ["MVPD", "Name", "Login"], providers))
                <section><h2>Key that signs the tokens</h2><details><summary>Public key</summary><pre tabindex="0">\(ExchangePage.escaped(state.key.publicKeyPEM))</pre></details>
                <p class="actions">\(copy(state.key.publicKeyPEM, "the public key"))</p></section>
                \(telephone(router, request))
                """)
    }

    private static func copy(_ text: String, _ what: String) -> String {
        "<button type=\"button\" data-copy=\"\(text.escapedForXML)\" aria-label=\"Copy \(what.escapedForXML)\">Copy</button>"
    }

    /// The activation page for a telephone, if the sandbox listens to the network.
    private static func telephone(_ router: SandboxRouter, _ request: SandboxRequest) -> String {
        let host = SandboxInfo.host(request)
        let port = host.split(separator: ":").dropFirst().last.map { ":\($0)" } ?? ""
        let address =
            router.gate.host == "0.0.0.0"
            ? NetworkAddress.own : router.gate.host.hasPrefix("127.") ? nil : router.gate.host
        guard let address else {
            return """
                <section><h2>On a telephone</h2><p>The sandbox listens to this machine alone. <code>tve sandbox --listen</code> lets a telephone in
                the same network open the activation page; a QR code for it stands here then.</p></section>
                """
        }
        let url = "http://\(address)\(port)/activate"
        let picture = QRCode(url).map(QRPicture.svg) ?? ""
        return """
            <section><h2>On a telephone</h2>
            <p class="fault-line"><strong>Every machine in your network reaches this sandbox.</strong> Its accounts are made up; type no real password here. The console
            itself answers on this machine alone.</p>
            <p>Type a television's code at <code>\(url.escapedForXML)</code>, or scan:</p>
            \(picture)</section>
            """
    }
}
