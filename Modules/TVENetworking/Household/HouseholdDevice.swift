public import Foundation
public import TVEModels

/// A device of a household, with what helps a viewer to recognize it.
///
/// Every description may be missing: the service passes on what the device has said about itself.
public struct HouseholdDevice: Sendable, Hashable, Identifiable, Redacting {
    /// The id by which the device is unlinked.
    @BytewiseEqual public private(set) var id: String
    /// The kind of device, for example `smartTV` or `mobile`.
    public var type: String?
    /// The model, for example `iPhone`.
    public var model: String?
    /// The operating system, for example `tvOS`.
    public var system: String?
    /// The version of the operating system, for example `18.2`.
    public var systemVersion: String?
    /// When the device was last seen by the service.
    public var lastSeen: Date?
    /// How the device came to the household, in the service's words: `regular` for one that logged in, `sso` for one that
    /// found its login.
    public var origin: String?

    /// Makes a device of which only the id is known.
    ///
    /// - Parameter id: the id by which the device is unlinked.
    public init(id: String) { self.id = id }

    /// The model, and not the id, which identifies the viewer's device.
    public var redactedDescription: String { "HouseholdDevice(model: \(model ?? "unknown"))" }
}
