import Foundation
import TVEModels

/// The answer to a request for a configuration (REST API v2, 5.1).
struct ConfigurationAnswer: JSONReadable {
    let configuration: RequestorConfiguration

    private enum Field: String, CaseIterable { case requestor, mvpds, time, platform, device, clientType, sdkType, os }

    private static let names = JSONNames<Field>()

    init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var requestor: RequestorEntry?
        var providersBeside: [TVProvider]?
        var serverTime: Date?
        var texts: [Field: String] = [:]
        _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
            switch field {
            case .requestor: requestor = try RequestorEntry(&json)
            case .mvpds: providersBeside = try Self.providers(&json)
            case .time: serverTime = try json.instantOfService()
            case .platform, .device, .clientType, .sdkType, .os: texts[field] = try json.trimmedText()
            }
        }
        // In the samples, the providers stand inside the requestor. In the prose, they stand beside it.
        guard let requestor, let providers = requestor.providers ?? providersBeside else { return nil }
        configuration = RequestorConfiguration(
            serverTime: serverTime, deviceType: texts[.device] ?? texts[.platform],
            clientType: texts[.clientType] ?? texts[.sdkType], operatingSystem: texts[.os],
            requestor: Requestor(
                id: RequestorID(requestor.id), name: requestor.name ?? requestor.id, domains: requestor.domains,
                channels: requestor.channels, providers: providers))
    }

    private struct RequestorEntry: JSONReadable {
        let id: String
        var name: String?
        var domains: [String] = []
        var channels: [String] = []
        var providers: [TVProvider]?

        private enum Field: String, CaseIterable { case id, name, channels, domains, mvpds }

        private static let names = JSONNames<Field>()

        init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
            var id: String?
            var name: String?
            var domains: [Domain]?
            var channels: [String]?
            var providers: [TVProvider]?
            _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
                switch field {
                case .id: id = try json.trimmedText()
                case .name: name = try json.trimmedText()
                case .domains: domains = try json.list(of: Domain.self)
                case .channels: channels = try json.texts()
                case .mvpds: providers = try ConfigurationAnswer.providers(&json)
                }
            }
            guard let id else { return nil }
            self.id = id
            self.name = name
            self.domains = domains?.map(\.name) ?? []
            self.channels = channels ?? []
            self.providers = providers
        }
    }

    /// A domain, either as an object `{"name": …}` or as the name alone.
    private struct Domain: JSONReadable {
        let name: String

        private enum Field: String, CaseIterable { case name }

        private static let names = JSONNames<Field>()

        init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
            var name: String?
            if json.isAtObject() {
                _ = try json.object(Self.names) { (_, json) throws(UntrustedJSONError) in
                    name = try json.trimmedString()
                }
            } else {
                name = try json.trimmedString()
            }
            guard let name else { return nil }
            self.name = name
        }
    }

    private enum ProviderField: String, CaseIterable {
        case id, displayName, logoUrl, isTempPass, isProxy, authPerBrowserSession, boardingStatus
        case platformMappingId, enablePlatformServices, displayInPlatformPicker
    }

    private static let providerNames = JSONNames<ProviderField>()

    /// Reads a list of TV providers without those that have no id, or returns nil if the value is not a list or none of
    /// its entries has an id.
    private static func providers(_ json: inout JSONCursor) throws(UntrustedJSONError) -> [TVProvider]? {
        var providers: [TVProvider] = []
        var count = 0
        let isList = try json.list { (json) throws(UntrustedJSONError) in
            count += 1
            var id: String?
            var name: String?
            var provider = TVProvider(id: "", displayName: "", logoURL: "")
            // The service stores each login for one service provider, whatever the integration states, and has no
            // silent logins.
            provider.authenticatesPerRequestor = true
            provider.allowsPassiveAuthentication = false
            _ = try json.object(providerNames) { (field, json) throws(UntrustedJSONError) in
                switch field {
                case .id: id = try json.trimmedText()
                case .displayName: name = try json.trimmedText()
                case .logoUrl: provider.logoURL = try json.trimmedText() ?? ""
                case .isTempPass: provider.isTempPass = try json.flag()
                case .isProxy: provider.isProxy = try json.flag()
                case .authPerBrowserSession: provider.authenticatesPerBrowserSession = try json.flag()
                case .boardingStatus: provider.boardingStatus = try json.trimmedText()
                case .platformMappingId: provider.platformMappingID = try json.trimmedText()
                case .enablePlatformServices: provider.allowsPlatformSignOn = try json.flag()
                case .displayInPlatformPicker: provider.isShownInPlatformPicker = try json.flag()
                }
            }
            guard let id, !id.isEmpty else { return }
            provider.id = MVPDID(id)
            // An empty name is treated as a missing one.
            provider.displayName = name.flatMap { $0.isEmpty ? nil : $0 } ?? id
            providers.append(provider)
        }
        return isList && (count == 0 || !providers.isEmpty) ? providers : nil
    }
}
