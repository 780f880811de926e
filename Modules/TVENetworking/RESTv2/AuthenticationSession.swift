public import Foundation
public import TVEModels

/// A login that has begun at the service, and its next step (REST API v2, session actions).
public struct AuthenticationSession: Sendable, Hashable, Redacting {
    /// The next step that the client must take.
    public enum Action: Sendable, Hashable {
        /// Open ``AuthenticationSession/url`` in a browser, or show the code for a second screen.
        case authenticate
        /// Collect the missing parameters, usually on a second screen, and send them with the code.
        case resume
        /// The same as ``AuthenticationSession/Action/resume``, because parameters are still missing.
        case retry
        /// No step remains, because the viewer is logged in or needs no login.
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

    /// The next step that the client must take.
    public let action: Action
    /// A Boolean value that indicates whether the viewer must act in a browser.
    public let isInteractive: Bool
    /// The reason for the action, as the service names it.
    ///
    /// Names include `none`, `authenticated`, `temporary`, `degraded`, `authenticatedSSO` and `pfs_fallback`.
    public let reason: String
    /// The names of the missing parameters: `mvpd`, `domainName`, `redirectUrl`.
    public let missingParameters: [String]
    /// The page to open, relative to the service or absolute.
    public let url: String?
    /// The authentication code.
    ///
    /// Anyone who has the code can complete the login.
    public let code: String?
    /// The TV provider, if it is known.
    public let mvpdID: MVPDID?
    /// The time at which the code expires, by the service's clock.
    public let expires: Date?
    /// The lifetime of the code in seconds, ten hours at most.
    ///
    /// The lifetime is half an hour if the service does not state it, or states times that no code can have.
    public let lifetime: TimeInterval
    /// The request that the platform must answer, in Base64, with ``AuthenticationSession/Action/partnerProfile``.
    public let platformRequest: String?
    /// The names of the attributes to request from the platform.
    public let platformAttributes: [String]

    /// A Boolean value that indicates whether the service still has an ordinary login of the viewer.
    ///
    /// Temporary access and degradation need no login. Every other reason may be missing or new.
    public var hasLogin: Bool { action == .authorize && reason != "temporary" && reason != "degraded" }

    /// The next step without the code.
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

    /// Reads the service's answer, or returns nil if it has no action.
    package init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var action: String?
        var missing: [String] = []
        var begins: Date?
        var ends: Date?
        var texts: [Field: String] = [:]
        var request: String?
        var attributes: [String] = []
        _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
            switch field {
            case .actionName: action = try json.identifier()
            case .actionType, .reasonType: texts[field] = try json.identifier()
            case .url, .code, .mvpd: texts[field] = try json.trimmedText()
            case .missingParameters: missing = try json.texts() ?? []
            case .notBefore: begins = try json.instantOfService()
            case .notAfter: ends = try json.instantOfService()
            case .authenticationRequest:
                _ = try json.object(Self.requestNames) { (field, json) throws(UntrustedJSONError) in
                    switch field {
                    case .request: request = try json.trimmedText()
                    case .attributesNames: attributes = try json.texts() ?? []
                    }
                }
            }
        }
        guard let action else { return nil }
        self.action = Action(action)
        isInteractive = texts[.actionType] == "interactive"
        reason = texts[.reasonType] ?? "none"
        // One sample has `domain`, but the name of the form field is `domainName`.
        missingParameters = missing.filter(\.isIdentifier).map { $0 == "domain" ? "domainName" : $0 }
        url = texts[.url]
        func named(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
        code = named(texts[.code])
        mvpdID = named(texts[.mvpd]).map { MVPDID($0) }
        expires = ends
        let stated = begins.flatMap { ends?.timeIntervalSince($0) } ?? 0
        lifetime = stated > 0 ? min(stated, 36_000) : 1_800
        platformRequest = named(request)
        platformAttributes = attributes
    }
}
