extension SandboxWorld {
    /// How the service behaves; the defaults are the real service's, as far as they are known.
    public struct Behavior: Sendable, Hashable, Codable {
        /// Lifetime of AuthN tokens in seconds.
        public var authenticationLifetime = 2_592_000
        /// Lifetime of AuthZ tokens in seconds.
        public var authorizationLifetime = 86_400
        /// Lifetime of media tokens in seconds.
        public var mediaLifetime = 420
        /// Lifetime of registration codes in seconds.
        public var registrationCodeLifetime = 1_800
        /// Lifetime of access tokens in seconds.
        public var accessTokenLifetime = 86_400
        /// Offset of printed token dates from UTC in minutes, east positive.
        public var tokenUTCOffsetMinutes = 0
        /// HTTP status of a denied authorization: 200, 400 or 403.
        public var denialStatus = 200
        /// Whether a login without registration code is refused with HTTP 451.
        public var requiresRegistrationCode = true
        /// Whether requests of REST API v2 and of registration that are not as documented are refused.
        public var isStrict = false
        /// Whether requests are refused that come faster than documented: to the throttled paths more than one a second after
        /// a burst of ten, for the profile of a code more than one in three seconds.
        public var isThrottled = false
        /// How many resources one preauthorization may contain; with more there are no decisions.
        public var preauthorizationLimit = 5
        /// Whether the classic services have ended: HTTP 410 from all that apps call of them.
        public var isClassicRetired = false
        /// Variants of REST API v2.
        public var restV2 = RESTv2()
        /// The single sign-on service beside REST API v2.
        public var households = Households()

        /// Makes the default behavior.
        public init() {}

        /// Decodes a behavior; missing values keep their defaults.
        ///
        /// - Parameter decoder: where to read from.
        /// - Throws: `DecodingError` when a value has the wrong type.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            func read<Value: Decodable>(_ key: CodingKeys, _ path: WritableKeyPath<Self, Value>) throws {
                if let value = try values.decodeIfPresent(Value.self, forKey: key) { self[keyPath: path] = value }
            }
            try read(.authenticationLifetime, \.authenticationLifetime)
            try read(.authorizationLifetime, \.authorizationLifetime)
            try read(.mediaLifetime, \.mediaLifetime)
            try read(.registrationCodeLifetime, \.registrationCodeLifetime)
            try read(.accessTokenLifetime, \.accessTokenLifetime)
            try read(.tokenUTCOffsetMinutes, \.tokenUTCOffsetMinutes)
            try read(.denialStatus, \.denialStatus)
            try read(.requiresRegistrationCode, \.requiresRegistrationCode)
            try read(.isStrict, \.isStrict)
            try read(.isThrottled, \.isThrottled)
            try read(.preauthorizationLimit, \.preauthorizationLimit)
            try read(.isClassicRetired, \.isClassicRetired)
            try read(.restV2, \.restV2)
            try read(.households, \.households)
        }
    }
}

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
        /// The redirects that are registered for every application, each a scheme (`app.demo://`) or a host
        /// (`https://app.example`); a strict sandbox refuses others if there is one.
        public var redirectURLs: [String] = []
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
            redirectURLs = try values.decodeIfPresent([String].self, forKey: .redirectURLs) ?? []
            forcedErrors = try values.decodeIfPresent([String: String].self, forKey: .forcedErrors) ?? [:]
        }
    }
}
