public import Foundation
public import TVEModels

/// A login that waits for its viewer: what the viewer does, and the code that links the login to this device.
///
/// `Codable` so that a login survives the end of the app; the place where it is stored must be as safe as a store of
/// tokens.
public struct LoginPage: Sendable, Hashable, Codable, Redacting {
    /// What the viewer does to log in.
    public enum Step: Sendable, Hashable, Codable, Redacting {
        /// Opens a page in a browser of this screen, which ends at the redirect.
        case open(URL, redirect: URL)
        /// Types the code on another screen.
        case typeCode
        /// Nothing: a TempPass and a degraded provider log the viewer in without a page.
        case nothing

        /// What the viewer does, not where: the page's URL holds the code.
        public var redactedDescription: String {
            switch self {
            case .open: "open"
            case .typeCode: "typeCode"
            case .nothing: "nothing"
            }
        }
    }

    /// What the viewer does to log in.
    public let step: Step
    /// The requestor the login is for.
    public let requestorID: RequestorID
    /// The TV provider to log in with.
    public let mvpdID: MVPDID
    /// The registration code, which anyone who has it can exchange for a token.
    @BytewiseEqual public private(set) var registrationCode: String
    /// When the code expires.
    public let expires: Date
    /// The app's data for the service.
    @BytewiseEqual public var data: [String: MetadataValue] = [:]
    /// Why the service needs no login of the viewer, by its own name; nil where it did not say so.
    @BytewiseEqual package var reasonForNoStep: String?

    /// Describes a login.
    ///
    /// - Parameters:
    ///   - step: what the viewer does to log in.
    ///   - requestorID: the requestor the login is for.
    ///   - mvpdID: the TV provider to log in with.
    ///   - registrationCode: links the login to this device.
    ///   - expires: when the code expires.
    public init(step: Step, requestorID: RequestorID, mvpdID: MVPDID, registrationCode: String, expires: Date) {
        self.step = step
        self.requestorID = requestorID
        self.mvpdID = mvpdID
        self.registrationCode = registrationCode
        self.expires = expires
    }

    /// Whether the viewer has to do anything.
    public var needsViewer: Bool { step != .nothing }

    /// Requestor and MVPD, not the code.
    public var redactedDescription: String { "LoginPage(\(requestorID), \(mvpdID))" }
}
