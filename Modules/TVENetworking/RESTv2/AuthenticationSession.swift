public import Foundation
public import TVEModels

/// A login that was begun at the service, and its next step (REST API v2, session actions).
public struct AuthenticationSession: Sendable, Hashable, Decodable, Redacting {
    /// What the client must do.
    public enum Action: Sendable, Hashable {
        /// Open ``AuthenticationSession/url`` in a browser, or show the code for a second screen.
        case authenticate
        /// Find out what is missing, usually on a second screen, and send it with the code.
        case resume
        /// The same as ``AuthenticationSession/Action/resume``: something is still missing.
        case retry
        /// Nothing: the viewer is logged in, or needs no login.
        case authorize
        /// Pass ``AuthenticationSession/platformRequest`` to the platform.
        case partnerProfile
        /// An action that this version of the library does not know.
        case unknown(String)

        init(_ name: String) {
            self =
                switch name {
                case "authenticate": .authenticate
                case "resume": .resume
                case "retry": .retry
                case "authorize": .authorize
                case "partner_profile": .partnerProfile
                default: .unknown(name)
                }
        }
    }

    /// What the client must do.
    public let action: Action
    /// Whether the viewer must do something in a browser.
    public let isInteractive: Bool
    /// Why, by the service's own name: `none`, `authenticated`, `temporary`, `degraded`, `authenticatedSSO`, `pfs_fallback`, ….
    public let reason: String
    /// Names of what is missing: `mvpd`, `domainName`, `redirectUrl`.
    public let missingParameters: [String]
    /// The page to open, relative to the service or absolute.
    public let url: String?
    /// The authentication code, with which anyone who has it can log in.
    public let code: String?
    /// The TV provider, when it is known.
    public let mvpdID: MVPDID?
    /// When the code expires, by the service's clock.
    public let expires: Date?
    /// For how many seconds the code is valid, up to ten hours; half an hour when the service does not say.
    public let lifetime: TimeInterval
    /// The request that the platform must answer, Base64, with ``AuthenticationSession/Action/partnerProfile``.
    public let platformRequest: String?
    /// Names of the attributes to request from the platform.
    public let platformAttributes: [String]

    /// Whether the viewer counts as logged in by an ordinary login that the service still knows.
    public var hasLogin: Bool { action == .authorize && reason.hasPrefix("authenticated") }

    /// Reads the service's answer.
    ///
    /// - Parameter decoder: where to read from.
    /// - Throws: `DecodingError` when the answer has no action.
    public init(from decoder: any Decoder) throws { try self.init(reading: decoder) }

    /// The next step, not the code.
    public var redactedDescription: String { "AuthenticationSession(\(action))" }
}

extension AuthenticationSession: JSONReadable {
    private enum Field: String, CaseIterable {
        case actionName, actionType, reasonType, missingParameters, url, code, mvpd, notBefore, notAfter
        case authenticationRequest
    }

    private enum RequestField: String, CaseIterable { case request, attributesNames }

    private static let names = JSONNames<Field>()
    private static let requestNames = JSONNames<RequestField>()

    /// Reads the service's answer; nil when it has no action.
    package init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var action: String?
        var missing: [String] = []
        var begins: Date?
        var ends: Date?
        var texts: [Field: String] = [:]
        var request: String?
        var attributes: [String] = []
        let isObject = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
            switch field {
            case .actionName: action = try json.string()
            case .actionType, .reasonType, .url, .code, .mvpd: texts[field] = try json.text()
            case .missingParameters: missing = try json.texts() ?? []
            case .notBefore: begins = try json.instant()
            case .notAfter: ends = try json.instant()
            case .authenticationRequest:
                _ = try json.object(Self.requestNames) { (field, json) throws(UntrustedJSONError) in
                    switch field {
                    case .request: request = try json.text()
                    case .attributesNames: attributes = try json.texts() ?? []
                    }
                }
            }
        }
        guard isObject, let action else { return nil }
        self.action = Action(action)
        isInteractive = texts[.actionType] == "interactive"
        reason = texts[.reasonType] ?? "none"
        // One sample says `domain`, but the form field is called `domainName`.
        missingParameters = missing.map { $0 == "domain" ? "domainName" : $0 }
        url = texts[.url]
        code = texts[.code].flatMap { $0.isEmpty ? nil : $0 }
        mvpdID = texts[.mvpd].map { MVPDID($0) }
        expires = ends
        lifetime = begins.flatMap { ends?.timeIntervalSince($0) }.map { min(max(0, $0), 36_000) } ?? 1_800
        platformRequest = request
        platformAttributes = attributes
    }
}
