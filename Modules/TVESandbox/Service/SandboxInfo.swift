import FlyingFox
import TVEModels

/// The routes below `/sandbox/`, which describe the sandbox to programs.
///
/// People use the console.
enum SandboxInfo {
    static func respond(_ state: SandboxState, _ request: SandboxRequest, log: ExchangeLog) -> HTTPResponse {
        switch (request.method, request.path.dropFirst().first, request.path.count) {
        case ("GET", "info", 2), ("HEAD", "info", 2): return .json(info(state, request))
        case ("DELETE", "clients", 2):
            log.note("All applications were revoked.")
            return ClientRegistration.revokeAll(state)
        default: return .status(404)
        }
    }

    private static func info(_ state: SandboxState, _ request: SandboxRequest) -> MetadataValue {
        let providers = state.world.providers.map { provider -> MetadataValue in
            let viewer = provider.login == .none ? nil : state.world.viewers.first
            return [
                "id": "\(provider.id)", "displayName": .string(provider.displayName),
                "user": .string(viewer?.name ?? ""), "password": .string(viewer?.password ?? ""),
            ]
        }
        return [
            "baseURL": "http://\(request.host)", "requestors": .array(state.world.requestors.map { "\($0.id)" }),
            "mvpds": .array(providers), "softwareStatement": .string(state.softwareStatement),
            "mediaTokenPublicKey": .string(state.key.publicKeyPEM),
        ]
    }
}
