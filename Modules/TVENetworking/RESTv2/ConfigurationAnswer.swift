import Foundation
import TVEModels

/// The answer to a request for a configuration (REST API v2, 5.1).
struct ConfigurationAnswer: Decodable {
    let configuration: RequestorConfiguration

    private enum CodingKeys: String, CodingKey {
        case requestor, mvpds, time, platform, device, clientType, sdkType, os
    }
    private enum RequestorKeys: String, CodingKey { case id, name, channels, domains, mvpds }

    init(from decoder: any Decoder) throws {
        let top = try decoder.container(keyedBy: CodingKeys.self)
        let inner = try top.nestedContainer(keyedBy: RequestorKeys.self, forKey: .requestor)
        // The samples have the providers inside the requestor, the prose has them beside it.
        var list = try (try? inner.nestedUnkeyedContainer(forKey: .mvpds)) ?? top.nestedUnkeyedContainer(forKey: .mvpds)
        var providers: [TVProvider] = []
        while !list.isAtEnd {
            if let entry = try list.decode(Readable<ProviderEntry>.self).value { providers.append(entry.provider) }
        }
        let id = try inner.decode(String.self, forKey: .id)
        let domains = inner.list(Domain.self, .domains)?.map(\.name) ?? []
        configuration = RequestorConfiguration(
            serverTime: top.instant(.time), deviceType: top.text(.device) ?? top.text(.platform),
            clientType: top.text(.clientType) ?? top.text(.sdkType), operatingSystem: top.text(.os),
            requestor: Requestor(
                id: RequestorID(id), name: inner.text(.name) ?? id, domains: domains,
                channels: inner.list(String.self, .channels) ?? inner.text(.channels).map { [$0] } ?? [],
                providers: providers))
    }

    /// `{"name": …}` or the name alone.
    private struct Domain: Decodable {
        let name: String

        private enum CodingKeys: String, CodingKey { case name }

        init(from decoder: any Decoder) throws {
            if let name = try? decoder.singleValueContainer().decode(String.self) {
                self.name = name
            } else {
                name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
            }
        }
    }

    private struct ProviderEntry: Decodable {
        let provider: TVProvider

        private enum CodingKeys: String, CodingKey {
            case id, displayName, logoUrl, isTempPass, isProxy, authPerBrowserSession, boardingStatus
            case platformMappingId, enablePlatformServices, displayInPlatformPicker
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            let id = try values.decode(String.self, forKey: .id)
            var provider = TVProvider(
                id: MVPDID(id), displayName: values.text(.displayName) ?? id, logoURL: values.text(.logoUrl) ?? "")
            provider.isTempPass = values.flag(.isTempPass)
            provider.isProxy = values.flag(.isProxy)
            provider.authenticatesPerBrowserSession = values.flag(.authPerBrowserSession)
            provider.boardingStatus = values.text(.boardingStatus)
            provider.platformMappingID = values.text(.platformMappingId)
            provider.allowsPlatformSignOn = values.flag(.enablePlatformServices)
            provider.isShownInPlatformPicker = values.flag(.displayInPlatformPicker)
            // The service keeps a login for one service provider only, whatever the integration says; no login is
            // silent.
            provider.authenticatesPerRequestor = true
            provider.allowsPassiveAuthentication = false
            self.provider = provider
        }
    }
}
