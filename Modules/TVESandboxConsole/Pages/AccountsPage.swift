import Foundation
import TVEModels
import TVESandbox

/// The values for an app, and the accounts that can log in.
enum AccountsPage {
    static func page(_ routes: SandboxRoutes, _ request: SandboxRequest) -> ConsolePage {
        let state = routes.state
        let base = "http://\(request.host)"
        let endpoints = [
            ("Service provider", "\(base)/adobe-services"), ("REST API v2", "\(base)/api/v2"),
            ("Activation page", "\(base)/activate"), ("Facts for programs", "\(base)/sandbox/info"),
            ("Description of REST API v2", "\(base)/openapi.json"),
        ].map { name, url in [name, "\(ConsolePage.code(url)) \(copy(url, "the address: \(name)"))"] }
        let viewers = state.world.viewers.map {
            [
                ConsolePage.code($0.name), ConsolePage.code($0.password),
                $0.resources.joined(separator: ", ").escapedForXML, ($0.zip ?? "").escapedForXML,
            ]
        }
        let providers = state.world.providers.map {
            [
                ConsolePage.code($0.id.text), $0.displayName.escapedForXML,
                $0.login == .none ? "TempPass" : $0.login.rawValue,
            ]
        }
        return ConsolePage(
            view: .accounts, title: "Accounts",
            content: """
                \(ConsolePage.table("Addresses of the service", "", ["What", "Address"], endpoints))
                <section><h2 id="statement">Software statement</h2>
                <textarea readonly rows="4" aria-labelledby="statement" id="statement-text">\(state.softwareStatement.escapedForXML)</textarea>
                <p class="actions">\(copy(state.softwareStatement, "the software statement"))</p></section>
                \(ConsolePage.table("Who can log in", "The world has no viewers.", ["User", "Password", "May watch", "Zip code"], viewers, id: "viewers"))
                \(ConsolePage.table("TV providers", "The world has no TV providers.", ["MVPD", "Name", "Login"], providers))
                <section><h2>Key that signs the tokens</h2><details><summary>Public key</summary><pre tabindex="0">\(ConsolePage.escapedLines(state.key.publicKeyPEM))</pre></details>
                <p class="actions">\(copy(state.key.publicKeyPEM, "the public key"))</p></section>
                \(phone(routes, request))
                """)
    }

    private static func copy(_ text: String, _ what: String) -> String {
        "<button type=\"button\" data-copy=\"\(text.escapedForXML)\" aria-label=\"Copy \(what.escapedForXML)\">Copy</button>"
    }

    /// The activation page for a phone, if the sandbox listens to the network.
    private static func phone(_ routes: SandboxRoutes, _ request: SandboxRequest) -> String {
        let host = request.host
        let port = host.dividedAtLast(":").map { ":\($0.after)" } ?? ""
        let address =
            routes.gate.host == "0.0.0.0"
            ? NetworkAddress.own : routes.gate.host.hasBytePrefix("127.") ? nil : routes.gate.host
        guard let address else {
            return """
                <section><h2>On a phone</h2><p>This sandbox listens only to this machine. With <code>tve sandbox --listen</code> a phone in
                the same network can open the activation page, and a QR code for it is shown here.</p></section>
                """
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

/// This machine's address in the network.
enum NetworkAddress {
    /// The first IPv4 address that is not a loopback address; nil when there is none.
    static var own: String? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&list) == 0 else { return nil }
        // The list and the addresses in it are the system's, and valid until here.
        defer { unsafe freeifaddrs(list) }
        var next = unsafe list
        while let interface = unsafe next?.pointee {
            unsafe next = interface.ifa_next
            guard let address = unsafe interface.ifa_addr, unsafe address.pointee.sa_family == sa_family_t(AF_INET),
                let text = unsafe text(address), !text.hasBytePrefix("127."), !text.hasBytePrefix("169.254.")
            else { continue }
            return text
        }
        return nil
    }

    private static func text(_ address: UnsafeMutablePointer<sockaddr>) -> String? {
        var buffer = [CChar](repeating: 0, count: 64)
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // The buffer is as long as the call is told.
        let result = unsafe getnameinfo(address, length, &buffer, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST)
        guard result == 0 else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
