public import Foundation
public import TVEModels

/// A login that is not finished, with the viewer's next step and the code that links the login to this device.
///
/// The type is `Codable`, so a login can continue after the app was terminated. Its storage must be as safe as a store
/// of tokens.
public struct LoginPage: Sendable, Hashable, Codable, Redacting {
    /// The viewer's next step of a login.
    public enum Step: Sendable, Hashable, Codable, Redacting {
        /// The viewer opens a page in a browser on this screen, which ends at the redirect.
        case open(URL, redirect: URL)
        /// The viewer types the code on another screen.
        case typeCode
        /// The viewer has nothing to do, because the service still has the viewer's login, or because a TempPass or a
        /// degraded provider logs the viewer in without a page.
        case nothing

        /// The name of the step without the page's URL, which contains the code.
        public var redactedDescription: String {
            switch self {
            case .open: "open"
            case .typeCode: "typeCode"
            case .nothing: "nothing"
            }
        }
    }

    /// The viewer's next step.
    public let step: Step
    /// The requestor that the login is for.
    public let requestorID: RequestorID
    /// The TV provider to log in with.
    public let mvpdID: MVPDID
    /// The registration code.
    ///
    /// Anyone who has the code can exchange it for a token.
    @BytewiseEqual public private(set) var registrationCode: String
    /// The time at which the code expires, by the clock of this device.
    public let expires: Date
    /// The app's data for the service.
    @BytewiseEqual public var data: [String: MetadataValue] = [:]
    /// The reason for which the viewer need not log in, as the service names it, or nil if the service stated none.
    @BytewiseEqual package var reasonForNoStep: String?
    /// The root of the service to which the code belongs, or nil for a page that is not stored, or that an earlier
    /// version has stored.
    @BytewiseEqual package var service: String?
    /// The page that ends the login that this one replaces, at the TV provider too, or nil if there is none.
    ///
    /// It is to be opened before the page of this login, or the provider's cookies may log the same viewer in again.
    /// A login that continues after the app was terminated no longer has it.
    public var logoutPage: LogoutPage?

    private enum CodingKeys: CodingKey {
        case step, requestorID, mvpdID, registrationCode, expires, data, reasonForNoStep, service
    }

    /// Creates the description of a login.
    ///
    /// - Parameters:
    ///   - step: the viewer's next step.
    ///   - requestorID: the requestor that the login is for.
    ///   - mvpdID: the TV provider to log in with.
    ///   - registrationCode: the code that links the login to this device.
    ///   - expires: the time at which the code expires.
    public init(step: Step, requestorID: RequestorID, mvpdID: MVPDID, registrationCode: String, expires: Date) {
        self.step = step
        self.requestorID = requestorID
        self.mvpdID = mvpdID
        self.registrationCode = registrationCode
        self.expires = expires
    }

    /// Returns the remaining lifetime of the code.
    ///
    /// The service sends an expiry date. A device whose clock is wrong cannot use it, so the usual lifetime is returned
    /// instead.
    package func lifetime(at now: Date) -> Duration {
        let rest = expires.timeIntervalSince(now)
        return (0...Self.longestCode / .seconds(1)).contains(rest) ? .seconds(rest) : Self.usualCode
    }

    /// The lifetime of a registration code at the vendor's service.
    private static let usualCode = Duration.seconds(1_800)
    private static let longestCode = Duration.seconds(86_400)

    /// A Boolean value that indicates whether the viewer has to do anything.
    public var needsViewer: Bool { step != .nothing }

    /// The requestor and the MVPD without the code.
    public var redactedDescription: String { "LoginPage(\(requestorID), \(mvpdID))" }
}
