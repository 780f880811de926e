public import Foundation
import TVEModels

/// The description of a client and its device that the service receives.
public struct ClientDescription: Sendable {
    /// The device id, 64 lowercase hexadecimal characters.
    public var deviceID: String
    /// The known facts about the device.
    public var deviceInfo: DeviceInformation
    /// A closure that returns the kind of connection that the device uses now, or nil if it is not known.
    ///
    /// It is called before every request.
    public var connection: @Sendable () -> DeviceInformation.Connection?
    /// The kind of client, for example `iOS` or `tvOS`.
    public var clientType: String
    /// The version of this library.
    public var clientVersion: String
    /// The URL at which a login ends, which the app recognizes by its scheme.
    public var redirectURL: URL
    private let lastEncoded = Guarded<Encoded?>(nil)

    private struct Encoded {
        let info: DeviceInformation
        let added: ExactText?
        let text: String
    }

    /// Creates the description of a client.
    ///
    /// - Parameters:
    ///   - deviceID: the device id, 64 lowercase hexadecimal characters.
    ///   - deviceInfo: the known facts about the device.
    ///   - connection: returns the kind of connection that the device uses now, or nil if it is not known.
    ///   - clientType: the kind of client.
    ///   - clientVersion: the version of this library.
    ///   - redirectURL: the URL at which a login ends.
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

    /// Returns the device information in the form that is sent, which is JSON with sorted names in Base64.
    ///
    /// - Parameter added: the app's own description, Base64 of a JSON object; see ``ClientOptions/deviceInfo``.
    package func encodedDeviceInfo(adding added: String?) -> String {
        var info = deviceInfo
        info.connection = connection() ?? info.connection
        let exactlyAdded = added.map { ExactText($0) }
        // The description has fifteen values, so the lock returns only the text.
        let known = lastEncoded.withLock { last -> String? in
            guard let last, last.info == info, last.added == exactlyAdded else { return nil }
            return last.text
        }
        if let known { return known }
        var json = info.json
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
        // If the app removes every member, an empty object is sent.
        return FormBody.json(known.merging(further) { $1 }.filter { $0.value != .null }) ?? Data("{}".utf8)
    }
}
