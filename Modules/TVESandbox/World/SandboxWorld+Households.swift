extension SandboxWorld.Behavior {
    /// The behaviour of the single sign-on service.
    ///
    /// The service's documents give no firm numbers for most of these values.
    public struct Households: Sendable, Hashable, Codable {
        /// A Boolean value that indicates whether the service offers households, which are a premium feature.
        public var areOffered = true
        /// The lifetime of service tokens in seconds.
        public var tokenLifetime = 3_600
        /// The time in seconds after its end in which a service token may still be renewed; 0 for none.
        public var renewalLifetime = 86_400
        /// The lifetime of link codes in seconds; 0 for codes that have ended at once.
        public var codeLifetime = 900
        /// The number of wrong codes that a device may try before it must wait for ten minutes; 0 to let every device
        /// wait.
        public var tries = 5

        /// The longest lifetime that a world may have, in seconds: ten years.
        static let longest = 315_360_000

        /// Creates the default behaviour.
        public init() {}

        /// Brings the numbers into the ranges that a world must keep.
        ///
        /// Earlier versions did not check them.
        mutating func clamp() {
            tokenLifetime = min(max(tokenLifetime, 1), Self.longest)
            renewalLifetime = min(max(renewalLifetime, 0), Self.longest)
            codeLifetime = min(max(codeLifetime, 0), Self.longest)
            tries = max(tries, 0)
        }

        /// Decodes a behaviour, in which missing values have their defaults.
        ///
        /// - Parameter decoder: the decoder to read from.
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
