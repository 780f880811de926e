import FlyingFox
import Foundation
import TVEModels

/// Says what is in the sandbox: for programs as JSON, for people as a page.
enum InfoPage {
    static func info(_ state: SandboxState, _ request: SandboxRequest) -> HTTPResponse {
        .json(content(state, request))
    }

    static func page(_ state: SandboxState, _ request: SandboxRequest) -> HTTPResponse {
        let info = content(state, request)
        let rows = info.mvpds.map {
            "<tr><td><code>\($0.id.escapedForXML)</code></td><td>\($0.displayName.escapedForXML)</td>"
                + "<td><code>\($0.user.escapedForXML)</code></td><td><code>\($0.password.escapedForXML)</code></td></tr>"
        }
        let requestors = info.requestors.map { "<code>\($0.escapedForXML)</code>" }.joined(separator: ", ")
        return Page.page(
            "TV Everywhere sandbox",
            """
            <h1>TV Everywhere sandbox</h1>
            <p>A local service provider and TV provider. It contacts no other machine.</p>
            <p>Give a client <code>\(info.baseURL.escapedForXML)/adobe-services</code> as service provider,
            one of the requestors \(requestors), and the software statement in
            <a href="/sandbox/info">/sandbox/info</a>. REST API v2 is at the same address, and described in
            <a href="/openapi.json">/openapi.json</a>. A code that a television shows is typed at <a href="/activate">/activate</a>.</p>
            <table>
            <tr><th>MVPD</th><th>Name</th><th>User</th><th>Password</th></tr>
            \(rows.joined(separator: "\n"))
            </table>
            """)
    }

    private static func content(_ state: SandboxState, _ request: SandboxRequest) -> Info {
        let viewer = state.world.viewers.first
        let providers = state.world.providers.map {
            Info.Provider(
                id: $0.id, displayName: $0.displayName, user: $0.login == .none ? "" : viewer?.name ?? "",
                password: $0.login == .none ? "" : viewer?.password ?? "")
        }
        return Info(
            baseURL: "http://\(host(request))", requestors: state.world.requestors.map(\.id), mvpds: providers,
            softwareStatement: state.softwareStatement, mediaTokenPublicKey: state.key.publicKeyPEM)
    }

    /// The host the client used, so that the answer fits whatever address it came by.
    static func host(_ request: SandboxRequest) -> String {
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-.:[]"))
        guard let host = request.header("Host"), !host.isEmpty, host.unicodeScalars.allSatisfy(allowed.contains) else {
            return "127.0.0.1"
        }
        return host
    }

    private struct Info: Encodable {
        struct Provider: Encodable {
            let id: String
            let displayName: String
            let user: String
            let password: String
        }

        let baseURL: String
        let requestors: [String]
        let mvpds: [Provider]
        let softwareStatement: String
        let mediaTokenPublicKey: String
    }
}
