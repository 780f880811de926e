import Crypto
import Foundation
import TVEModels

/// The hash of a device that is part of its tokens and makes them worthless on another device.
public struct Fingerprint: Sendable, Hashable {
    /// The hash as 40 lowercase hexadecimal characters.
    public let hexadecimal: String

    /// Computes the native dialect's fingerprint: SHA-1 of the ASCII text of the device id (wire protocol, device
    /// binding values).
    ///
    /// - Parameter deviceID: the device id as it is sent to the service.
    public init(deviceID: String) {
        hexadecimal = Insecure.SHA1.hash(data: Data(deviceID.utf8)).hexadecimal
    }
}
