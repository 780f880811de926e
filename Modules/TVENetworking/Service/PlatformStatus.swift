public import Foundation
public import TVEModels

/// The latest status of the platform's sign-on (partner framework status).
public struct PlatformStatus: Sendable, Hashable {
    /// Whether the app may ask for the viewer's TV provider.
    public enum Permission: String, Sendable {
        /// The viewer allowed it.
        case granted
        /// The viewer does not allow it.
        case denied
        /// The device does not allow the question.
        case restricted
        /// The viewer was not asked yet.
        case notDetermined
    }

    /// Whether the app may ask.
    public var permission: Permission
    /// The platform's id of the viewer's provider, when one is signed in.
    @BytewiseEqual public var providerID: String?
    /// When the provider's login at the platform expires, if known.
    public var expires: Date?

    /// Describes a status.
    ///
    /// - Parameters:
    ///   - permission: whether the app may ask.
    ///   - providerID: the platform's id of the viewer's provider.
    ///   - expires: when the provider's login at the platform expires.
    public init(permission: Permission, providerID: String? = nil, expires: Date? = nil) {
        self.permission = permission
        self.providerID = providerID
        self.expires = expires
    }
}
