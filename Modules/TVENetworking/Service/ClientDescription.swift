public import Foundation

/// What a client tells the service about itself and its device.
public struct ClientDescription: Sendable, Hashable {
    /// The device id, 64 lowercase hexadecimal characters.
    public var deviceID: String
    /// Facts about the device by their documented names (`model`, `osName`, …).
    public var deviceInfo: [String: String]
    /// The kind of client, for example `iOS` or `tvOS`.
    public var clientType: String
    /// Version of this library.
    public var clientVersion: String
    /// Where a login ends; the app recognises it by its scheme.
    public var redirectURL: URL

    /// Describes a client.
    ///
    /// - Parameters:
    ///   - deviceID: 64 lowercase hexadecimal characters.
    ///   - deviceInfo: facts about the device by their documented names.
    ///   - clientType: the kind of client.
    ///   - clientVersion: version of this library.
    ///   - redirectURL: where a login ends.
    public init(
        deviceID: String, deviceInfo: [String: String], clientType: String, clientVersion: String, redirectURL: URL
    ) {
        self.deviceID = deviceID
        self.deviceInfo = deviceInfo
        self.clientType = clientType
        self.clientVersion = clientVersion
        self.redirectURL = redirectURL
    }

    /// The device information as it is sent: Base64 of JSON with sorted names.
    package var encodedDeviceInfo: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(deviceInfo))?.base64EncodedString() ?? ""
    }
}
