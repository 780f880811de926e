public import Foundation
public import TVEModels

/// Reads the configuration XML of a requestor (wire protocol, configuration).
public struct ConfigurationReader: Sendable {
    /// Limits for configurations.
    public var policy: XMLPolicy

    /// Makes a reader.
    ///
    /// - Parameter policy: limits for configurations; the default fits 10,000 providers.
    public init(policy: XMLPolicy = .answer) {
        self.policy = policy
    }

    /// Reads a configuration.
    ///
    /// Elements are found by name, whatever their order; unknown ones are skipped. A provider without id, display name
    /// or logo is left out, as the original client does.
    ///
    /// - Parameter body: the bytes of the answer.
    /// - Returns: the configuration.
    /// - Throws: any `TokenCodecError` about the XML; `.unexpectedRoot` and `.missingElement` when it is another document.
    public func configuration(_ body: Data) throws(TokenCodecError) -> RequestorConfiguration {
        let root = try XMLTree.parse(body, policy)
        guard root.name == "config" else { throw .unexpectedRoot(expected: "config") }
        guard let element = root.first("requestor") else { throw .missingElement("requestor") }
        guard let id = element.value("id") else { throw .missingElement("id") }
        let requestor = Requestor(
            id: id, name: element.value("name") ?? id, domains: element.list("domains"),
            channels: element.list("channels"),
            providers: element.first("mvpds")?.children.filter { $0.name == "mvpd" }.compactMap(provider) ?? [])
        return RequestorConfiguration(
            serverTime: root.value("time").flatMap(Self.time), deviceType: root.value("device"),
            clientType: root.value("clientType"), operatingSystem: root.value("os"), requestor: requestor)
    }

    private func provider(_ element: XMLElement) -> TVProvider? {
        guard let id = element.value("id"), let name = element.value("displayName"), let logo = element.value("logoUrl")
        else { return nil }
        var provider = TVProvider(id: id, displayName: name, logoURL: logo)
        provider.requiresIFrame = element.flag("iFrameRequired")
        provider.iFrameWidth = element.value("iFrameWidth").flatMap { Int($0) }
        provider.iFrameHeight = element.value("iFrameHeight").flatMap { Int($0) }
        provider.needsForegroundLogout = element.flag("foregroundLogout")
        provider.isProxy = element.flag("isProxy")
        provider.authenticatesPerRequestor = element.flag("authPerAggregator")
        provider.allowsPassiveAuthentication = element.flag("passiveAuthnEnabled", default: true)
        provider.authenticatesPerBrowserSession = element.flag("authPerBrowserSession")
        provider.isTempPass = element.flag("tempPass") || element.flag("isTempPass")
        provider.allowsPlatformSignOn = element.flag("enablePlatformServices")
        provider.boardingStatus = element.value("boardingStatus")
        provider.isShownInPlatformPicker = element.flag("displayInPlatformPicker")
        provider.platformMappingID = element.value("platformMappingId")
        provider.requiredMetadataFields = element.list("requiredMetadataFields")
        return provider
    }

    /// Milliseconds since 1970; small values are taken for seconds.
    private static func time(_ text: String) -> Date? {
        guard let value = Int64(text), value >= 0 else { return nil }
        return Date(timeIntervalSince1970: value < 100_000_000_000 ? Double(value) : Double(value) / 1000)
    }
}

extension XMLElement {
    /// The text of a child, nil when it is missing or empty.
    fileprivate func value(_ name: String) -> String? {
        first(name).flatMap { $0.text.isEmpty ? nil : $0.text }
    }

    /// The boolean in a child: `true` in any case or `1`.
    fileprivate func flag(_ name: String, default fallback: Bool = false) -> Bool {
        value(name).map { $0.lowercased() == "true" || $0 == "1" } ?? fallback
    }

    /// The texts of a child's children.
    fileprivate func list(_ name: String) -> [String] {
        first(name)?.children.map(\.text).filter { !$0.isEmpty } ?? []
    }
}
