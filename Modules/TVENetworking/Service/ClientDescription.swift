public import Foundation
import TVEModels

/// What a client tells the service about itself and its device.
public struct ClientDescription: Sendable {
    /// The device id, 64 lowercase hexadecimal characters.
    public var deviceID: String
    /// What is known about the device.
    public var deviceInfo: DeviceInformation
    /// How the device is connected now, asked before every request; nil when that is not known.
    public var connection: @Sendable () -> DeviceInformation.Connection?
    /// The kind of client, for example `iOS` or `tvOS`.
    public var clientType: String
    /// Version of this library.
    public var clientVersion: String
    /// Where a login ends; the app recognises it by its scheme.
    public var redirectURL: URL
    private let lastEncoded = Guarded<Encoded?>(nil)

    private struct Encoded {
        let info: DeviceInformation
        let added: ExactText?
        let text: String
    }

    /// Describes a client.
    ///
    /// - Parameters:
    ///   - deviceID: 64 lowercase hexadecimal characters.
    ///   - deviceInfo: what is known about the device.
    ///   - connection: how the device is connected now; nil when that is not known.
    ///   - clientType: the kind of client.
    ///   - clientVersion: version of this library.
    ///   - redirectURL: where a login ends.
    public init(
        deviceID: String, deviceInfo: DeviceInformation,
        connection: @escaping @Sendable () -> DeviceInformation.Connection? = { nil }, clientType: String,
        clientVersion: String, redirectURL: URL
    ) {
        self.deviceID = deviceID
        self.deviceInfo = deviceInfo
        self.connection = connection
        self.clientType = clientType
        self.clientVersion = clientVersion
        self.redirectURL = redirectURL
    }

    /// The device information as it is sent: Base64 of JSON with sorted names.
    ///
    /// - Parameter added: the app's own description, Base64 of a JSON object; see ``ClientOptions/deviceInfo``.
    package func encodedDeviceInfo(adding added: String?) -> String {
        var info = deviceInfo
        info.connection = connection() ?? info.connection
        let exactlyAdded = added.map { ExactText($0) }
        if let last = lastEncoded.withLock({ $0 }), last.info == info, last.added == exactlyAdded { return last.text }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var json = (try? encoder.encode(info)) ?? Data("{}".utf8)
        if let added, let both = Self.adding(added, to: json) { json = both }
        let text = json.base64EncodedString()
        lastEncoded.withLock { [info] in $0 = Encoded(info: info, added: exactlyAdded, text: text) }
        return text
    }

    private static func adding(_ added: String, to json: Data) -> Data? {
        typealias Members = [String: MetadataValue]
        guard let bytes = Data(base64Encoded: added, options: .ignoreUnknownCharacters),
            let further = try? UntrustedJSON.read(Members.self, from: bytes, .small),
            let known = try? UntrustedJSON.read(Members.self, from: json, .small)
        else { return nil }
        return FormBody.json(known.merging(further) { $1 }.filter { $0.value != .null })
    }
}
