public import Foundation
public import TVEModels

/// The parameters of a login.
public struct LoginRequest: Sendable, Hashable, Redacting {
    /// The way in which the viewer logs in.
    public enum Kind: Sendable, Hashable {
        /// A login in a browser on this screen, which ends at the redirect.
        ///
        /// Pass nil for the client's usual redirect.
        case here(redirect: URL?)
        /// A login without the viewer, in a browser that already has the viewer's session at the provider.
        case passive(redirect: URL?)
        /// A login on another screen, where the viewer types the code.
        ///
        /// The browser of that screen ends at the redirect, or at the client's usual redirect if it is nil, unless that
        /// screen sets another one. The service begins no complete session without a redirect.
        case otherScreen(redirect: URL?)
    }

    /// The requestor.
    public var requestorID: RequestorID
    /// The TV provider.
    public var mvpdID: MVPDID
    /// The way in which the viewer logs in.
    public var kind: Kind
    /// The app's data for the service, for example the viewer's id for a promotional TempPass (`generic_data`).
    @BytewiseEqual public var data: [String: MetadataValue]
    /// The domains that the requestor's logins may come from, if they are known.
    @BytewiseEqual public var domains: [String] = []
    /// A Boolean value that indicates whether the viewer must log in even if the service still has a login.
    public var isForced = false

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    ///   - kind: the way in which the viewer logs in.
    ///   - data: the app's data for the service.
    public init(
        requestorID: RequestorID, mvpdID: MVPDID, kind: Kind = .here(redirect: nil), data: [String: MetadataValue] = [:]
    ) {
        self.requestorID = requestorID
        self.mvpdID = mvpdID
        self.kind = kind
        self.data = data
    }

    /// A Boolean value that indicates whether the viewer logs in on another screen.
    var isOnOtherScreen: Bool { if case .otherScreen = kind { true } else { false } }

    /// The requestor and the MVPD, without the app's data, which may identify the viewer.
    public var redactedDescription: String { "LoginRequest(\(requestorID), \(mvpdID))" }
}
