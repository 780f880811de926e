package import Foundation
public import TVEModels

/// The credentials that an application received for its software statement, and its current access token.
public struct RegisteredApplication: Sendable, Hashable, Redacting {
    /// The client id.
    @BytewiseEqual public private(set) var clientID: String
    /// The client secret.
    @BytewiseEqual public private(set) var clientSecret: String
    /// The scopes of the application as the service granted them at registration, or nil if they are not known.
    public var scopes: [String]?
    /// The redirects that are registered for the application, or nil if they are not known.
    public var redirectURLs: [String]?
    /// The newest access token, if there is one.
    public var accessToken: AccessToken?
    /// The time at which the service refused the credentials that were to replace these, or nil if it never has.
    package var replacementRefused: Date?
    /// The credentials that these replaced because the service refused them, or nil once the service has accepted a
    /// request with these.
    package var replaced: RegisteredApplication? {
        get { predecessors.first }
        set { predecessors = newValue.map { [$0] } ?? [] }
    }
    /// A list of at most one registration, because a value cannot contain itself.
    private var predecessors: [RegisteredApplication] = []

    /// The wire dialect of the application, or nil if its scopes are not known.
    ///
    /// REST API v2 requires the scope `api:client:v2` (REST API v2, 2). A registration that an earlier version stored
    /// may have several scopes, with commas between them, as one.
    public var dialect: ServiceDialect? {
        scopes.map { scopes in
            let isOfRESTv2 = scopes.contains { scope in
                scope.parts(separatedBy: ",").contains { String($0).isSameBytes(as: "api:client:v2") }
            }
            return isOfRESTv2 ? .restV2 : .classic
        }
    }

    /// Creates credentials.
    ///
    /// - Parameters:
    ///   - clientID: the client id.
    ///   - clientSecret: the client secret.
    ///   - scopes: the scopes of the application, or nil if they are not known.
    ///   - redirectURLs: the redirects that are registered for the application, or nil if they are not known.
    ///   - accessToken: the newest access token, if there is one.
    public init(
        clientID: String, clientSecret: String, scopes: [String]? = nil, redirectURLs: [String]? = nil,
        accessToken: AccessToken? = nil
    ) {
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.scopes = scopes
        self.redirectURLs = redirectURLs
        self.accessToken = accessToken
    }

    /// The name of the type without any value.
    public var redactedDescription: String { "RegisteredApplication" }
}

extension RegisteredApplication: JSONReadable {
    private static let names = JSONNames<CodingKeys>()

    private enum TokenField: String, CaseIterable { case value, expires }

    private static let tokenNames = JSONNames<TokenField>()

    /// Reads a stored registration, or returns nil if a credential is missing.
    package init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var clientID: String?
        var clientSecret: String?
        var scopes: [String]?
        var redirectURLs: [String]?
        var token: String?
        var expires: Double?
        var refused: Double?
        var replaced: RegisteredApplication?
        _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
            switch field {
            case .clientID: clientID = try json.string()
            case .clientSecret: clientSecret = try json.string()
            case .scope: scopes = try json.string()?.words
            case .redirects: redirectURLs = try json.string()?.words
            case .token: token = try json.string()
            case .expires: expires = try json.decimal()
            case .refused: refused = try json.decimal()
            case .replaced: replaced = try RegisteredApplication(&json)
            case .scopes: scopes = try json.list(of: String.self)
            case .redirectURLs: redirectURLs = try json.list(of: String.self)
            case .accessToken:
                _ = try json.object(Self.tokenNames) { (field, json) throws(UntrustedJSONError) in
                    switch field {
                    case .value: token = try json.string()
                    case .expires: expires = try json.decimal()
                    }
                }
            }
        }
        guard let clientID, let clientSecret else { return nil }
        self.init(clientID: clientID, clientSecret: clientSecret, scopes: scopes, redirectURLs: redirectURLs)
        replacementRefused = refused.map { Date(timeIntervalSinceReferenceDate: $0) }
        self.replaced = replaced
        if let token, let expires {
            accessToken = AccessToken(value: token, expires: Date(timeIntervalSinceReferenceDate: expires))
        }
    }
}

// A list is stored as a single text, as OAuth writes scopes. The token is stored beside the lists, without a container.
extension RegisteredApplication: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case clientID, clientSecret, scope, redirects, token, expires, refused, replaced
        /// The members that earlier versions stored.
        case scopes, redirectURLs, accessToken
    }

    /// Reads credentials.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: `DecodingError` if a credential is missing.
    public init(from decoder: any Decoder) throws { try self.init(reading: decoder) }

    /// Writes the credentials.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: every error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(clientID, forKey: .clientID)
        try values.encode(clientSecret, forKey: .clientSecret)
        try values.encode(scopes, asText: .scope, orList: .scopes)
        try values.encode(redirectURLs, asText: .redirects, orList: .redirectURLs)
        try values.encodeIfPresent(accessToken?.value, forKey: .token)
        // Times are written as the numbers that the reader expects, because an encoder has its own form of dates.
        try values.encodeIfPresent(accessToken?.expires.timeIntervalSinceReferenceDate, forKey: .expires)
        try values.encodeIfPresent(replacementRefused?.timeIntervalSinceReferenceDate, forKey: .refused)
        try values.encodeIfPresent(replaced, forKey: .replaced)
    }
}

extension KeyedEncodingContainer {
    /// Writes a list as a single text, or as a list if the text could not be split into the same entries again.
    fileprivate mutating func encode(_ value: [String]?, asText text: Key, orList list: Key) throws {
        guard let value else { return }
        let joined = value.joined(separator: " ")
        if joined.words.elementsEqual(value, by: { $0.isSameBytes(as: $1) }) {
            try encode(joined, forKey: text)
        } else {
            try encode(value, forKey: list)
        }
    }
}

extension String {
    fileprivate var words: [String] { parts(separatedBy: " ", keepsEmpty: false).map { String($0) } }
}
