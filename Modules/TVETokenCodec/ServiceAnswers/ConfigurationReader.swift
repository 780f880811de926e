public import Foundation
public import TVEModels

/// A reader of the configuration XML of a requestor (wire protocol, configuration).
public struct ConfigurationReader: Sendable {
    /// The limits of configurations.
    public var policy: XMLPolicy

    /// Creates a reader.
    ///
    /// - Parameter policy: the limits of configurations. The default fits 10,000 providers.
    public init(policy: XMLPolicy = .answer) {
        self.policy = policy
    }

    /// Reads a configuration.
    ///
    /// Elements are found by name, in any order, and unknown ones are skipped. A provider without id, display name or
    /// logo is omitted, as in the original client.
    ///
    /// - Parameter body: the bytes of the answer.
    /// - Returns: the configuration.
    /// - Throws: any `TokenCodecError` about the XML, or `.unexpectedRoot` and `.missingElement` if it is another
    ///   document.
    public func configuration(_ body: Data) throws(TokenCodecError) -> RequestorConfiguration {
        try XMLReader.withDocument(in: body.fromXMLDeclaration, policy, Self.configuration)
    }

    private static func configuration(
        _ document: borrowing XMLDocument
    ) throws(TokenCodecError) -> RequestorConfiguration {
        guard document.name(of: XMLDocument.root) == "config" else { throw .unexpectedRoot(expected: "config") }
        var requestor: Requestor?
        var serverTime: Date?
        var device, clientType, operatingSystem: String?
        var children = XMLChildren(document, of: XMLDocument.root, names: document.names.configuration)
        while let (name, child) = children.nextFirst(in: document) {
            switch name {
            case .time: serverTime = document.number(child).map(Self.date)
            case .device: device = document.value(child)
            case .clientType: clientType = document.value(child)
            case .operatingSystem: operatingSystem = document.value(child)
            case .requestor: requestor = try Self.requestor(document, child)
            }
        }
        guard let requestor else { throw .missingElement(ConfigurationElement.requestor.wireName) }
        return RequestorConfiguration(
            serverTime: serverTime, deviceType: device, clientType: clientType, operatingSystem: operatingSystem,
            requestor: requestor)
    }

    private static func requestor(
        _ document: borrowing XMLDocument, _ position: Int
    ) throws(TokenCodecError) -> Requestor {
        var id, name: String?
        var domains: [String] = []
        var channels: [String] = []
        var providers: [TVProvider] = []
        var children = XMLChildren(document, of: position, names: document.names.requestor)
        while let (element, child) = children.nextFirst(in: document) {
            switch element {
            case .id: id = document.value(child)
            case .name: name = document.value(child)
            case .domains: domains = document.list(child)
            case .channels: channels = document.list(child)
            case .providers: providers = Self.providers(document, child)
            }
        }
        guard let id else { throw .missingElement(RequestorElement.id.wireName) }
        return Requestor(
            id: RequestorID(id), name: name ?? id, domains: domains, channels: channels, providers: providers)
    }

    private static func providers(_ document: borrowing XMLDocument, _ position: Int) -> [TVProvider] {
        var providers: [TVProvider] = []
        // The list is long, and growing it would copy it several times.
        var entries: [Int] = []
        document.forEachChild(of: position) { child in
            if let name = document[child].name, document.names.providers.name(name, expecting: 0) != nil {
                entries.append(child)
            }
        }
        providers.reserveCapacity(entries.count)
        let blank = TVProvider(id: "", displayName: "", logoURL: "")
        for child in entries {
            // The provider is filled in place, because copying it costs as much as parsing it.
            providers.append(blank)
            fill(&providers[providers.count - 1], from: document, child)
            if !providers[providers.count - 1].isComplete { providers.removeLast() }
        }
        return providers
    }

    private static func fill(_ provider: inout TVProvider, from document: borrowing XMLDocument, _ position: Int) {
        var children = XMLChildren(document, of: position, names: document.names.provider)
        while let (name, child) = children.nextFirst(in: document) {
            switch name {
            case .id: provider.id = MVPDID(document.value(child) ?? "")
            case .displayName: provider.displayName = document.value(child) ?? ""
            case .logoURL: provider.logoURL = document.value(child) ?? ""
            case .foregroundLogout: provider.needsForegroundLogout = document.flag(child)
            case .iFrameRequired: provider.requiresIFrame = document.flag(child)
            case .iFrameWidth: provider.iFrameWidth = document.number(child).map(Int.init)
            case .iFrameHeight: provider.iFrameHeight = document.number(child).map(Int.init)
            case .isProxy: provider.isProxy = document.flag(child)
            case .authPerAggregator: provider.authenticatesPerRequestor = document.flag(child)
            case .passiveAuthentication: provider.allowsPassiveAuthentication = document.flag(child, default: true)
            case .authPerBrowserSession: provider.authenticatesPerBrowserSession = document.flag(child)
            case .tempPass, .isTempPass: provider.isTempPass = provider.isTempPass || document.flag(child)
            case .platformSignOn: provider.allowsPlatformSignOn = document.flag(child)
            case .boardingStatus: provider.boardingStatus = document.value(child)
            case .shownInPlatformPicker: provider.isShownInPlatformPicker = document.flag(child)
            case .platformMappingID: provider.platformMappingID = document.value(child)
            case .requiredMetadataFields: provider.requiredMetadataFields = document.list(child)
            case .safari: provider.usesSafari = document.flag(child)
            }
        }
    }

    /// Returns the date for milliseconds since 1970.
    ///
    /// Small values are interpreted as seconds.
    private static func date(_ value: Int64) -> Date {
        Date(timeIntervalSince1970: value < 100_000_000_000 ? Double(value) : Double(value) / 1000)
    }
}

extension TVProvider {
    /// A Boolean value that indicates whether the provider has everything that a picker needs.
    fileprivate var isComplete: Bool { !id.text.isEmpty && !displayName.isEmpty && !logoURL.isEmpty }
}

/// Lenient parsing of answers: unreadable values are skipped.
extension XMLDocument {
    /// Returns the text of an element up to its first child, without the white space around it, or nil if nothing is
    /// left.
    fileprivate func value(_ position: Int) -> String? {
        withBytes(of: self[position].text) { bytes in
            let value = bytes.rangeInsideXMLSpace
            return value.isEmpty ? nil : String(decoding: bytes.extracting(value))
        }
    }

    fileprivate func number(_ position: Int) -> Int64? {
        text(of: position).flatMap { text in
            withBytes(of: text) { bytes in bytes.extracting(bytes.rangeInsideXMLSpace).wholeNumber }
        }
    }

    /// Returns the Boolean value in a leaf, which is true for `true` in any case and for `1`.
    fileprivate func flag(_ position: Int, default fallback: Bool = false) -> Bool {
        guard let text = text(of: position) else { return fallback }
        return withBytes(of: text) { bytes in
            let value = bytes.rangeInsideXMLSpace
            guard value.count != 1 else { return bytes[value.lowerBound] == UInt8(ascii: "1") }
            return value.isEmpty ? fallback : bytes.extracting(value).isTrue
        }
    }

    fileprivate func list(_ position: Int) -> [String] {
        var texts: [String] = []
        forEachChild(of: position) { child in
            if !self[child].isText, let text = value(child) { texts.append(text) }
        }
        return texts
    }
}
