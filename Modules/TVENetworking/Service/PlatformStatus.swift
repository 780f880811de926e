public import Foundation
public import TVEModels

/// The latest status of the platform's sign-on (partner framework status).
public struct PlatformStatus: Sendable, Hashable {
    /// The viewer's permission for the app to request the TV provider from the platform.
    public enum Permission: String, Sendable {
        /// The viewer has allowed the request.
        case granted
        /// The viewer has denied the request.
        case denied
        /// The device does not allow the request.
        case restricted
        /// The viewer has not decided yet.
        case notDetermined
    }

    /// The viewer's permission for the app.
    public var permission: Permission
    /// The platform's id of the viewer's provider, if the viewer is signed in to one.
    @BytewiseEqual public var providerID: String?
    /// The time at which the provider's login on the platform expires, if it is known.
    public var expires: Date?
    /// The TV provider that the platform's id belongs to, or nil if it is not known.
    ///
    /// A request for the profile of another provider does not carry the status, because the service refuses it then.
    public var mvpdID: MVPDID?

    /// Creates a status.
    ///
    /// - Parameters:
    ///   - permission: the viewer's permission for the app.
    ///   - providerID: the platform's id of the viewer's provider.
    ///   - expires: the time at which the provider's login on the platform expires.
    ///   - mvpdID: the TV provider that the platform's id belongs to, or nil if it is not known.
    public init(permission: Permission, providerID: String? = nil, expires: Date? = nil, mvpdID: MVPDID? = nil) {
        self.permission = permission
        self.providerID = providerID
        self.expires = expires
        self.mvpdID = mvpdID
    }
}
