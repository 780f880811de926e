import Crypto
import Foundation
import TVEModels

/// This device as the service sees it: the device id, and the fingerprint that tokens are bound to.
public struct DeviceIdentity: Sendable, Hashable {
    /// 64 lowercase hexadecimal characters, sent with every request of the device dialect.
    public let deviceID: String
    /// The fingerprint that tokens for this device carry.
    public let fingerprint: Fingerprint

    /// Takes a device id as it is.
    ///
    /// - Parameter deviceID: the id as it is sent to the service.
    public init(deviceID: String) {
        self.deviceID = deviceID
        fingerprint = Fingerprint(deviceID: deviceID)
    }

    /// Computes the device id from a value that is the same at every start and differs between devices.
    ///
    /// The id is the SHA-256 of the seed. With an app, the seed is salted with its vendor prefix, so that apps of one
    /// vendor see one device and apps of different vendors do not, as with the vendor id of iOS.
    ///
    /// - Parameters:
    ///   - seed: a machine id, or stored random bytes.
    ///   - app: the app, when the id must be per vendor.
    public init(seed: String, app: AppIdentity?) {
        let salted = app.map { "\($0.vendorPrefix)\n\(seed)" } ?? seed
        self.init(deviceID: SHA256.hash(data: Data(salted.utf8)).hexadecimal)
    }

    /// Computes the device id of an app on this device.
    ///
    /// - Parameters:
    ///   - seed: what the device id is computed from.
    ///   - app: the app.
    public init(_ seed: DeviceSeed, app: AppIdentity) {
        self.init(seed: seed.value, app: seed.needsVendorPrefix ? app : nil)
    }

    /// Says which device a token belongs to.
    ///
    /// - Parameter fingerprint: the fingerprint inside the token, nil or empty when it has none.
    /// - Returns: `.mine`, `.foreign`, or `.unbound` for a token without fingerprint.
    public func binding(of fingerprint: String?) -> TokenBinding {
        guard let fingerprint, !fingerprint.isEmpty else { return .unbound }
        return fingerprint.isSameBytesIgnoringASCIICase(as: self.fingerprint.hexadecimal) ? .mine : .foreign
    }
}

/// Whose device a token belongs to.
public enum TokenBinding: Sendable, Hashable {
    /// This device's.
    case mine
    /// Another device's.
    case foreign
    /// No device's: the token carries no fingerprint.
    case unbound
}
