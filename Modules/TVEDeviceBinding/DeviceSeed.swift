public import TVEModels

/// The value from which a device id is computed, with its origin, which determines which apps see the same value.
///
/// From the value, the device id of every app on the device can be computed, so printing it shows only its origin.
public struct DeviceSeed: Sendable, Hashable, Redacting {
    /// The origin of the value (API reference, device id; single sign-on documents).
    public enum Generation: Sendable, Hashable {
        /// The system's vendor id, which apps of one vendor share (iOS 7 and later).
        case vendorID
        /// The machine id of Linux, which every app shares, and which the vendor prefix makes specific to a vendor.
        case machineID
        /// Random bytes that the app stores, for example in a keychain, so that they survive a reinstallation.
        case stored
    }

    /// The id as the system or the store returned it.
    public let value: String
    /// The origin of the value.
    public let generation: Generation

    /// Creates a seed from an id.
    ///
    /// - Parameters:
    ///   - value: the id as the system or the store returned it.
    ///   - generation: the origin of the value.
    public init(_ value: String, _ generation: Generation) {
        self.value = value
        self.generation = generation
    }

    /// The origin without the value.
    public var redactedDescription: String { "DeviceSeed(\(generation))" }

    /// A Boolean value that indicates whether apps of different vendors see the same id and the vendor prefix must
    /// separate them.
    var needsVendorPrefix: Bool { generation == .machineID || generation == .stored }
}
