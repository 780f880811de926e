extension SandboxWorld {
    /// The behaviour of the service.
    ///
    /// The defaults are those of the real service, as far as they are known.
    public struct Behavior: Sendable, Hashable, Codable {
        /// The lifetime of AuthN tokens in seconds.
        public var authenticationLifetime = 2_592_000
        /// The lifetime of AuthZ tokens in seconds.
        public var authorizationLifetime = 86_400
        /// The lifetime of media tokens in seconds.
        public var mediaLifetime = 420
        /// The lifetime of registration codes in seconds.
        public var registrationCodeLifetime = 1_800
        /// The lifetime of access tokens in seconds.
        public var accessTokenLifetime = 86_400
        /// The offset from UTC of the dates in tokens, in minutes; positive to the east.
        public var tokenUTCOffsetMinutes = 0
        /// The HTTP status of a denied authorization: 200, 400 or 403.
        public var denialStatus = 200
        /// A Boolean value that indicates whether a login without a registration code is refused with HTTP 451.
        public var requiresRegistrationCode = true
        /// A Boolean value that indicates whether undocumented requests of REST API v2 and of registration are refused.
        public var isStrict = false
        /// A Boolean value that indicates whether requests that come faster than documented are refused.
        ///
        /// The throttled paths accept one request a second and a burst of ten, which are eleven at once. The profile of
        /// a code may be requested once in 2.5 seconds. The documents say three, and the difference allows for the
        /// network.
        public var isThrottled = false
        /// The largest number of resources in a preauthorization.
        ///
        /// A request with more resources gets no decisions.
        public var preauthorizationLimit = 5
        /// A Boolean value that indicates whether the classic services have ended, so that they answer apps with HTTP
        /// 410.
        public var isClassicRetired = false
        /// The variant of REST API v2.
        public var restV2 = RESTv2()
        /// The behaviour of the single sign-on service beside REST API v2.
        public var households = Households()

        /// Creates the default behaviour.
        public init() {}

        /// Decodes a behaviour, in which missing values have their defaults.
        ///
        /// - Parameter decoder: the decoder to read from.
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
    /// A variant of REST API v2, where its documents disagree or say nothing.
    ///
    /// The default is one of the documented variants.
    public struct RESTv2: Sendable, Hashable, Codable {
        /// A Boolean value that indicates whether names have their other documented spelling: `domain`, `encrypted`,
        /// `existing` and `missing`.
        public var usesOtherSpelling = false
        /// A Boolean value that indicates whether the URLs in answers are absolute.
        public var usesAbsoluteURLs = false
        /// A Boolean value that indicates whether the service appends a query to the redirect URL of a login, which
        /// clients must ignore.
        public var appendsToRedirect = false
        /// A Boolean value that indicates whether a missing profile is an error of the whole answer instead of an error
        /// of each decision.
        public var failsWithoutProfile = false
        /// The redirect URLs that are registered for every application, each a scheme (`app.demo://`) or a host
        /// (`https://app.example`).
        ///
        /// If there is one, a strict sandbox refuses all others.
        public var redirectURLs: [String] = []
        /// The error codes with which endpoints always answer, by the name of the endpoint (``Endpoint``).
        public var forcedErrors: [String: String] = [:]

        /// The names of the endpoints that ``forcedErrors`` uses.
        public enum Endpoint: String, Sendable, Codable, CaseIterable {
            /// The endpoint `GET /api/v2/{sp}/configuration`.
            case configuration
            /// The endpoint `POST /api/v2/{sp}/sessions`.
            case createSession
            /// The endpoint `POST /api/v2/{sp}/sessions/{code}`.
            case resumeSession
            /// The endpoint `GET /api/v2/{sp}/sessions/{code}`.
            case session
            /// The endpoint `GET /api/v2/authenticate/{sp}/{code}`.
            case authenticate
            /// The endpoint `GET /api/v2/{sp}/profiles`.
            case profiles
            /// The endpoint `GET /api/v2/{sp}/profiles/{mvpd}`.
            case profile
            /// The endpoint `GET /api/v2/{sp}/profiles/code/{code}`.
            case profileOfCode
            /// The endpoint `POST /api/v2/{sp}/decisions/preauthorize/{mvpd}`.
            case preauthorize
            /// The endpoint `POST /api/v2/{sp}/decisions/authorize/{mvpd}`.
            case authorize
            /// The endpoint `GET /api/v2/{sp}/logout/{mvpd}`.
            case logout
            /// The endpoint `POST /api/v2/{sp}/sessions/sso/{partner}`.
            case partnerSession
            /// The endpoint `POST /api/v2/{sp}/profiles/sso/{partner}`.
            case partnerProfile
        }

        /// Creates the default behaviour.
        public init() {}

        /// Decodes a behaviour, in which missing values have their defaults.
        ///
        /// - Parameter decoder: the decoder to read from.
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
