extension SandboxWorld.Behavior {
    /// How the single sign-on service behaves, whose documents give no firm numbers for most of this.
    public struct Households: Sendable, Hashable, Codable {
        /// Whether the service offers households: they are a premium feature.
        public var areOffered = true
        /// Lifetime of service tokens in seconds.
        public var tokenLifetime = 3_600
        /// For how many seconds after its end a service token may still be renewed.
        public var renewalLifetime = 86_400
        /// Lifetime of link codes in seconds.
        public var codeLifetime = 900
        /// How many wrong codes a device may try in ten minutes.
        public var tries = 5

        /// Makes the default behavior.
        public init() {}

        /// Decodes a behavior; missing values keep their defaults.
        ///
        /// - Parameter decoder: where to read from.
        /// - Throws: `DecodingError` when a value has the wrong type.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            areOffered = try values.decodeIfPresent(Bool.self, forKey: .areOffered) ?? areOffered
            tokenLifetime = try values.decodeIfPresent(Int.self, forKey: .tokenLifetime) ?? tokenLifetime
            renewalLifetime = try values.decodeIfPresent(Int.self, forKey: .renewalLifetime) ?? renewalLifetime
            codeLifetime = try values.decodeIfPresent(Int.self, forKey: .codeLifetime) ?? codeLifetime
            tries = try values.decodeIfPresent(Int.self, forKey: .tries) ?? tries
        }
    }
}
