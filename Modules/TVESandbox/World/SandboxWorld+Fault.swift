extension SandboxWorld {
    /// Something that goes wrong on purpose: for every device, for one, or for the next few requests.
    public struct Fault: Sendable, Hashable, Codable {
        /// What goes wrong.
        public enum Kind: String, Sendable, Codable, CaseIterable {
            /// Answers come late.
            case delay
            /// An HTTP status without a body in place of the answer.
            case status
            /// HTTP 429 with the page of the throttle.
            case throttled
            /// The connection ends without an answer.
            case dropped
            /// The connection ends in the middle of the body.
            case cutBody
            /// The body comes in small pieces.
            case slowBody
            /// The body is no longer what it was.
            case garbledBody
            /// Another page in place of the answer, as in a hotel.
            case captivePortal
            /// Tokens are signed over other bytes than they have.
            case badSignature
            /// The service's clock is wrong.
            case wrongClock
            /// An error code of REST API v2.
            case error
            /// The TV provider denies a resource.
            case denied
            /// The service no longer asks the TV provider.
            case degraded
            /// The service cannot reach the TV provider.
            case unreachable
            /// The login behind a token has ended.
            case sessionOver
        }

        /// What goes wrong.
        public var kind: Kind
        /// How much: milliseconds of `delay` and `slowBody`, seconds of `wrongClock`, the HTTP status of `status`.
        public var amount: Int?
        /// Which: the error code of `error`; `authenticateAll`, `authorizeAll` or `authorizeNone` of `degraded`.
        public var code: String?
        /// The step at which it goes wrong, by its name in the console; every step that an app makes when not given.
        public var step: String?
        /// The MVPD that it is about; every one when not given.
        public var provider: String?
        /// The resource that `denied` is about; every one when not given.
        public var resource: String?
        /// The device that it happens to, by its id; every one when not given.
        public var device: String?
        /// To how many requests it still happens; to all when not given.
        public var requests: Int?

        /// Makes a fault that happens to every device.
        ///
        /// - Parameters:
        ///   - kind: what goes wrong.
        ///   - amount: how much, in the unit of the kind.
        ///   - code: which, where the kind asks.
        ///   - step: at which step.
        ///   - requests: to how many requests.
        public init(_ kind: Kind, amount: Int? = nil, code: String? = nil, step: String? = nil, requests: Int? = nil) {
            self.kind = kind
            self.amount = amount
            self.code = code
            self.step = step
            self.requests = requests
        }
    }
}
