/// The value from which a device id is computed, and which apps see the same value.
public struct DeviceSeed: Sendable, Hashable {
    /// Where the value comes from (API reference, device id; single sign-on documents).
    public enum Generation: Sendable, Hashable {
        /// The system's vendor id: the same for apps of one vendor (iOS 7 and later).
        case vendorID
        /// The machine id of Linux: the same for every app, so the vendor prefix makes it per vendor.
        case machineID
        /// Random bytes that the app stores, for example in a keychain, so that they survive a new installation.
        case stored
    }

    /// The id itself.
    public let value: String
    /// Where the value comes from.
    public let generation: Generation

    /// Takes an id.
    ///
    /// - Parameters:
    ///   - value: the id as the system or the store gave it.
    ///   - generation: where it comes from.
    public init(_ value: String, _ generation: Generation) {
        self.value = value
        self.generation = generation
    }

    /// Whether apps of different vendors see the same id, so that the vendor prefix must separate them.
    var needsVendorPrefix: Bool { generation == .machineID || generation == .stored }
}
