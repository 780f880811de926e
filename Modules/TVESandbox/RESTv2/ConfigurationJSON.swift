import FlyingFox
import TVEModels

/// The configuration of a service provider as JSON.
enum ConfigurationJSON {
    static func respond(_ call: RESTv2Call) -> HTTPResponse {
        let requestor = call.serviceProvider
        let providers = requestor.providers.compactMap { call.state.provider($0, of: requestor.id) }
        let answer: MetadataValue = [
            "device": "unknown", "clientType": "html5", "os": "Unknown",
            "requestor": [
                "id": "\(requestor.id)", "name": .string(requestor.name),
                "domains": [["name": "localhost", "mvpdInitiated": false]], "mvpds": .array(providers.map(provider)),
            ],
        ]
        return .json(answer)
    }

    /// Returns the JSON form of a provider, in which flags that are false are left out.
    private static func provider(_ provider: SandboxWorld.Provider) -> MetadataValue {
        var members: [String: MetadataValue] = [
            "id": "\(provider.id)", "displayName": .string(provider.displayName),
            "logoUrl": "http://localhost/\(provider.id.text.escapedForPath).png",
        ]
        if provider.login == .none { members["isTempPass"] = true }
        members["authPerAggregator"] = provider.authenticatesPerRequestor.map { .bool($0) }
        if let platformID = provider.platformID {
            members["enablePlatformServices"] = true
            members["displayInPlatformPicker"] = true
            members["platformMappingId"] = .string(platformID)
            if provider.boardingStatus != "" {
                members["boardingStatus"] = .string(provider.boardingStatus ?? "SUPPORTED")
            }
        }
        return .object(members)
    }
}
