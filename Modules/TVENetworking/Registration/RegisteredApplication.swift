import Foundation
public import TVEModels

/// The credentials an application received for its software statement, and its current access token.
public struct RegisteredApplication: Sendable, Hashable, Redacting {
    /// The client id.
    @BytewiseEqual public private(set) var clientID: String
    /// The client secret.
    @BytewiseEqual public private(set) var clientSecret: String
    /// What the application may do, as the service said when it registered; nil if that is not known.
    public var scopes: [String]?
    /// The redirects that are registered for the application; nil if that is not known.
    public var redirectURLs: [String]?
    /// The newest access token, if there is one.
    public var accessToken: AccessToken?

    /// The wire dialect of the application; nil if its scopes are not known.
    ///
    /// REST API v2 needs the scope `api:client:v2` (REST API v2, 2).
    public var dialect: ServiceDialect? { scopes.map { $0.contains("api:client:v2") ? .restV2 : .classic } }

    /// Makes credentials.
    ///
    /// - Parameters:
    ///   - clientID: the client id.
    ///   - clientSecret: the client secret.
    ///   - scopes: what the application may do.
    ///   - redirectURLs: the redirects that are registered for it.
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

    /// The kind of value, and nothing else.
    public var redactedDescription: String { "RegisteredApplication" }
}

extension RegisteredApplication: JSONReadable {
    private static let names = JSONNames<CodingKeys>()

    private enum TokenField: String, CaseIterable { case value, expires }

    private static let tokenNames = JSONNames<TokenField>()

    /// Reads a stored registration; nil when a credential is missing.
    package init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var clientID: String?
        var clientSecret: String?
        var scopes: [String]?
        var redirectURLs: [String]?
        var token: String?
        var expires: Double?
        let isObject = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
            switch field {
            case .clientID: clientID = try json.string()
            case .clientSecret: clientSecret = try json.string()
            case .scope: scopes = try json.string()?.words
            case .redirects: redirectURLs = try json.string()?.words
            case .token: token = try json.string()
            case .expires: expires = try json.decimal()
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
        guard isObject, let clientID, let clientSecret else { return nil }
        self.init(clientID: clientID, clientSecret: clientSecret, scopes: scopes, redirectURLs: redirectURLs)
        if let token, let expires {
            accessToken = AccessToken(value: token, expires: Date(timeIntervalSinceReferenceDate: expires))
        }
    }
}

// Lists are stored as OAuth writes scopes, as one text, and the token beside them.
extension RegisteredApplication: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case clientID, clientSecret, scope, redirects, token, expires
        /// What earlier versions stored.
        case scopes, redirectURLs, accessToken
    }

    /// Reads credentials.
    ///
    /// - Parameter decoder: where to read from.
    /// - Throws: `DecodingError` when a credential is missing.
    public init(from decoder: any Decoder) throws { try self.init(reading: decoder) }

    /// Writes the credentials.
    ///
    /// - Parameter encoder: where to write to.
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(clientID, forKey: .clientID)
        try values.encode(clientSecret, forKey: .clientSecret)
        try values.encode(scopes, .scope, .scopes)
        try values.encode(redirectURLs, .redirects, .redirectURLs)
        try values.encodeIfPresent(accessToken?.value, forKey: .token)
        try values.encodeIfPresent(accessToken?.expires, forKey: .expires)
    }
}

extension KeyedEncodingContainer {
    /// Writes a list as one text; as a list if a text would not return it as it is.
    fileprivate mutating func encode(_ value: [String]?, _ text: Key, _ list: Key) throws {
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
