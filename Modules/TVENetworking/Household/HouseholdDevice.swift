public import Foundation
public import TVEModels

/// A device of a household, with the details that help a viewer to recognize it.
///
/// Every detail may be missing, because the service passes on only what the device has sent about itself.
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
    /// The time at which the service last received a request from the device.
    public var lastSeen: Date?
    /// The service's name for the way in which the device joined the household.
    ///
    /// The value is `regular` for a device that logged in, and `sso` for a device that found the login of another one.
    public var origin: String?

    /// Creates a device with an id and no other details.
    ///
    /// - Parameter id: the id by which the device is unlinked.
    public init(id: String) { self.id = id }

    /// The model without the id, because the id identifies the viewer's device.
    public var redactedDescription: String { "HouseholdDevice(model: \(model ?? "unknown"))" }
}
