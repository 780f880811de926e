import FlyingFox
import Foundation

/// The configuration of a service provider as JSON.
enum ConfigurationJSON {
    static func respond(_ call: RESTv2Call) -> HTTPResponse {
        let requestor = call.serviceProvider
        let providers = requestor.providers.compactMap { call.state.provider($0, of: requestor.id) }
        return .json(
            Answer(
                requestor: Answer.Requestor(
                    id: requestor.id, name: requestor.name, mvpds: providers.map(Answer.Provider.init))))
    }

    private struct Answer: Encodable {
        struct Requestor: Encodable {
            struct Domain: Encodable {
                let name: String
                let mvpdInitiated: Bool
            }

            let id: String
            let name: String
            var domains = [Domain(name: "localhost", mvpdInitiated: false)]
            let mvpds: [Provider]
        }

        struct Provider: Encodable {
            let id: String
            let displayName: String
            let logoUrl: String
            var isTempPass: Bool?
            var authPerAggregator: Bool?
            var enablePlatformServices: Bool?
            var boardingStatus: String?
            var displayInPlatformPicker: Bool?
            var platformMappingId: String?

            /// False flags are left out.
            init(_ provider: SandboxWorld.Provider) {
                id = provider.id
                displayName = provider.displayName
                logoUrl = "http://localhost/\(ProviderPages.segment(provider.id)).png"
                isTempPass = provider.login == .none ? true : nil
                authPerAggregator = provider.authenticatesPerRequestor
                guard let platformID = provider.platformID else { return }
                enablePlatformServices = true
                if provider.boardingStatus != "" { boardingStatus = provider.boardingStatus ?? "SUPPORTED" }
                displayInPlatformPicker = true
                platformMappingId = platformID
            }
        }

        var device = "unknown"
        var clientType = "html5"
        var os = "Unknown"
        let requestor: Requestor
    }
}
