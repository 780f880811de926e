public import Foundation
public import TVEModels

/// What a login is asked for.
public struct LoginRequest: Sendable, Hashable, Redacting {
    /// How the viewer is to log in.
    public enum Kind: Sendable, Hashable {
        /// With a browser on this device.
        case browser
        /// With a browser that already has the viewer's session at the provider, and without the viewer.
        case passive
        /// On another device, where the viewer types the registration code.
        case secondScreen
    }

    /// The requestor.
    public var requestorID: String
    /// The TV provider.
    public var mvpdID: String
    /// How the viewer is to log in.
    public var kind: Kind
    /// What the app sends along for the service, for example who asks for a promotional TempPass (`generic_data`).
    public var data: [String: MetadataValue]
    /// Where the browser ends; nil for the client's usual place.
    public var redirectURL: URL?
    /// Whether the viewer shall log in even if the service still knows a login.
    public var isForced = false

    /// Asks for a login.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    ///   - kind: how the viewer is to log in.
    ///   - data: what the app sends along for the service.
    ///   - redirectURL: where the browser ends; nil for the client's usual place.
    public init(
        requestorID: String, mvpdID: String, kind: Kind = .browser, data: [String: MetadataValue] = [:],
        redirectURL: URL? = nil
    ) {
        self.requestorID = requestorID
        self.mvpdID = mvpdID
        self.kind = kind
        self.data = data
        self.redirectURL = redirectURL
    }

    /// Compares every value; ids as UTF-8 bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.requestorID.isSameBytes(as: right.requestorID) && left.mvpdID.isSameBytes(as: right.mvpdID)
            && left.kind == right.kind && left.data.isSameBytes(as: right.data)
            && left.redirectURL == right.redirectURL && left.isForced == right.isForced
    }

    /// Requestor and MVPD, not what the app sends along, which may say who the viewer is.
    public var redactedDescription: String { "LoginRequest(\(requestorID), \(mvpdID))" }
}
