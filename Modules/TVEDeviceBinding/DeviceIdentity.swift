import Crypto
import Foundation
import TVEModels

/// The identity of this device for the service: the device id, and the fingerprint to which tokens are bound.
public struct DeviceIdentity: Sendable, Hashable {
    /// The device id: 64 lowercase hexadecimal characters, sent with every request of the device dialect.
    public let deviceID: String
    /// The fingerprint in the tokens for this device.
    public let fingerprint: Fingerprint

    /// Creates an identity from a device id, which is used unmodified.
    ///
    /// - Parameter deviceID: the id as it is sent to the service.
    public init(deviceID: String) {
        self.deviceID = deviceID
        fingerprint = Fingerprint(deviceID: deviceID)
    }

    /// Creates an identity from a value that is the same at every start and differs between devices.
    ///
    /// The id is the SHA-256 of the seed. If an app is given, the seed is salted with the app's vendor prefix. Apps of
    /// one vendor then see the same device and apps of different vendors do not, as with the vendor id of iOS.
    ///
    /// - Parameters:
    ///   - seed: a machine id, or stored random bytes.
    ///   - app: the app whose vendor prefix salts the seed, or nil for an id that all vendors share.
    public init(seed: String, app: AppIdentity?) {
        let salted = app.map { "\($0.vendorPrefix)\n\(seed)" } ?? seed
        self.init(deviceID: SHA256.hash(data: Data(salted.utf8)).hexadecimal)
    }

    /// Creates the identity of this device for an app.
    ///
    /// - Parameters:
    ///   - seed: the value from which the device id is computed.
    ///   - app: the app.
    public init(_ seed: DeviceSeed, app: AppIdentity) {
        self.init(seed: seed.value, app: seed.needsVendorPrefix ? app : nil)
    }

    /// Returns the relation between a token and this device.
    ///
    /// - Parameter fingerprint: the fingerprint inside the token, or nil or an empty text if it has none.
    /// - Returns: `.mine`, `.foreign`, or `.unbound` for a token without a fingerprint.
    public func binding(of fingerprint: String?) -> TokenBinding {
        guard let fingerprint, !fingerprint.isEmpty else { return .unbound }
        return fingerprint.isSameBytesIgnoringASCIICase(as: self.fingerprint.hexadecimal) ? .mine : .foreign
    }
}

/// The relation between a token and this device.
public enum TokenBinding: Sendable, Hashable {
    /// The token belongs to this device.
    case mine
    /// The token belongs to another device.
    case foreign
    /// The token has no fingerprint and belongs to no device.
    case unbound
}
