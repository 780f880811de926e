extension SandboxWorld.Behavior {
    /// What the sandbox does where the documents of REST API v2 disagree or say nothing; by default one variant.
    public struct RESTv2: Sendable, Hashable, Codable {
        /// Whether names have the other documented spelling: `domain`, `encrypted`, `existing` and `missing`.
        public var usesOtherSpelling = false
        /// Whether the URLs of answers are absolute.
        public var usesAbsoluteURLs = false
        /// Whether something is appended to the URL at which a login ends.
        public var appendsToRedirect = false
        /// Whether a missing profile is an error of the whole answer instead of each decision.
        public var failsWithoutProfile = false
        /// Endpoints that always answer with an error: its code by the name of the endpoint (``Endpoint``).
        public var forcedErrors: [String: String] = [:]

        /// Names of the endpoints, as ``forcedErrors`` uses them.
        public enum Endpoint: String, Sendable, Codable, CaseIterable {
            /// `GET /api/v2/{sp}/configuration`
            case configuration
            /// `POST /api/v2/{sp}/sessions`
            case createSession
            /// `POST /api/v2/{sp}/sessions/{code}`
            case resumeSession
            /// `GET /api/v2/{sp}/sessions/{code}`
            case session
            /// `GET /api/v2/authenticate/{sp}/{code}`
            case authenticate
            /// `GET /api/v2/{sp}/profiles`
            case profiles
            /// `GET /api/v2/{sp}/profiles/{mvpd}`
            case profile
            /// `GET /api/v2/{sp}/profiles/code/{code}`
            case profileOfCode
            /// `POST /api/v2/{sp}/decisions/preauthorize/{mvpd}`
            case preauthorize
            /// `POST /api/v2/{sp}/decisions/authorize/{mvpd}`
            case authorize
            /// `GET /api/v2/{sp}/logout/{mvpd}`
            case logout
            /// `POST /api/v2/{sp}/sessions/sso/{partner}`
            case partnerSession
            /// `POST /api/v2/{sp}/profiles/sso/{partner}`
            case partnerProfile
        }

        /// Makes the default behavior.
        public init() {}

        /// Decodes a behavior; missing values keep their defaults.
        ///
        /// - Parameter decoder: where to read from.
        /// - Throws: `DecodingError` when a value has the wrong type.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            usesOtherSpelling = try values.decodeIfPresent(Bool.self, forKey: .usesOtherSpelling) ?? false
            usesAbsoluteURLs = try values.decodeIfPresent(Bool.self, forKey: .usesAbsoluteURLs) ?? false
            appendsToRedirect = try values.decodeIfPresent(Bool.self, forKey: .appendsToRedirect) ?? false
            failsWithoutProfile = try values.decodeIfPresent(Bool.self, forKey: .failsWithoutProfile) ?? false
            forcedErrors = try values.decodeIfPresent([String: String].self, forKey: .forcedErrors) ?? [:]
        }
    }
}
