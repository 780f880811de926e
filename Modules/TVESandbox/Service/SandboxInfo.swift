import FlyingFox
import Foundation
import TVEModels

/// Describes the sandbox for programs; developers use the console.
enum SandboxInfo {
    static func info(_ state: SandboxState, _ request: SandboxRequest) -> HTTPResponse {
        .json(content(state, request))
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

    /// The host the client used, so that the answer is valid for any address.
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
