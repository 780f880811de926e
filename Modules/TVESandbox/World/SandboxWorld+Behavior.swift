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
        /// Whether more than one request a second (burst ten) to the throttled paths gets HTTP 429.
        public var isThrottled = false
        /// How many resources one preauthorization may contain; with more there are no decisions.
        public var preauthorizationLimit = 5
        /// Variants of REST API v2.
        public var restV2 = RESTv2()

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
            try read(.isThrottled, \.isThrottled)
            try read(.preauthorizationLimit, \.preauthorizationLimit)
            try read(.restV2, \.restV2)
        }
    }
}
