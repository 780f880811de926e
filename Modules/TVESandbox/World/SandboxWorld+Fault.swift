public import TVEModels

extension SandboxWorld {
    /// A simulated failure, for every device or for one, and for all requests or for the next few.
    public struct Fault: Sendable, Hashable, Codable {
        /// The kind of failure.
        public enum Kind: String, Sendable, Codable, CaseIterable {
            /// The answer is delayed.
            case delay
            /// An HTTP status without a body replaces the answer.
            case status
            /// HTTP 429 with the page of the throttle replaces the answer.
            case throttled
            /// The connection closes without an answer.
            case dropped
            /// The connection closes in the middle of the body.
            case cutBody
            /// The body arrives slowly, in small pieces.
            case slowBody
            /// The body is corrupted.
            case garbledBody
            /// A page that asks to accept the terms of a network replaces the answer, as in a hotel.
            case captivePortal
            /// The signature of tokens does not match their bytes.
            case badSignature
            /// The service's clock is wrong.
            case wrongClock
            /// An error of REST API v2 replaces the answer or its decisions.
            case error
            /// The TV provider denies a resource.
            case denied
            /// The TV provider is degraded: the service decides without asking it.
            case degraded
            /// The service cannot reach the TV provider.
            case unreachable
            /// The login behind a token has ended.
            case sessionOver
            /// The code has no profile yet for some time after the login.
            case lateProfile
            /// A login creates a profile with a second TV provider as well.
            case secondProfile
            /// The profiles of a device end before their time.
            case profileEnded
            /// The polled code ends, as if the device had requested another one.
            case codeReplaced
            /// Another status, another body or both replace those of the answer.
            case rewritten

            /// The names of the steps at which the fault can happen; `nil` for any.
            package var steps: Set<String>? {
                switch self {
                case .lateProfile, .codeReplaced: ["profileOfCode"]
                case .secondProfile: ["assertion"]
                case .profileEnded: ["profiles", "profile", "preauthorize", "authorize"]
                default: nil
                }
            }
        }

        /// The kind of failure.
        public var kind: Kind
        /// The amount: milliseconds for `delay` and `slowBody`, seconds for `wrongClock` and `lateProfile`, the HTTP
        /// status for `status` and `rewritten`.
        public var amount: Int?
        /// The variant: the error code for `error`; `authenticateAll`, `authorizeAll` or `authorizeNone` for
        /// `degraded`.
        public var code: String?
        /// The step at which the failure happens, by its name in the console; `nil` for every step of an app.
        public var step: String?
        /// The MVPD that is `degraded` or `unreachable`, `nil` for all; or the MVPD of the `secondProfile`.
        public var provider: MVPDID?
        /// The resource that is `denied`, or the resource of the requests whose answers are `rewritten`; `nil` for all.
        public var resource: String?
        /// The body that replaces the body of a `rewritten` answer; `nil` to leave it as it is.
        public var body: String?
        /// The id of the device to which the failure happens; `nil` for all.
        public var device: String?
        /// The number of requests that the failure still changes; `nil` for all.
        ///
        /// A request to which the failure applies without changing its answer is not counted. For example, a viewer
        /// whose plan does not include a resource is denied it anyway.
        public var requests: Int?
        /// The number of requests that are answered normally before the failure happens; `nil` for none.
        public var after: Int?

        /// Creates a fault that happens to every device.
        ///
        /// - Parameters:
        ///   - kind: the kind of failure.
        ///   - amount: the amount, in the unit of the kind.
        ///   - code: the variant, where the kind has several.
        ///   - step: the step at which the failure happens, by its name in the console; `nil` for every step of an app.
        ///   - requests: the number of requests that the failure changes; `nil` for all.
        public init(_ kind: Kind, amount: Int? = nil, code: String? = nil, step: String? = nil, requests: Int? = nil) {
            self.kind = kind
            self.amount = amount
            self.code = code
            self.step = step
            self.requests = requests
        }
    }
}

extension SandboxWorld.Fault.Kind {
    /// The name of the failure, as the console and the outcome of an exchange show it.
    package var title: String {
        switch self {
        case .delay: "Late answers"
        case .status: "HTTP error"
        case .throttled: "Too many requests"
        case .dropped: "Connection lost"
        case .cutBody: "Cut body"
        case .slowBody: "Slow body"
        case .garbledBody: "Garbled body"
        case .captivePortal: "Captive portal"
        case .badSignature: "Bad signature"
        case .wrongClock: "Wrong clock"
        case .error: "Error of REST API v2"
        case .denied: "Denied resource"
        case .degraded: "Degraded provider"
        case .unreachable: "Provider unreachable"
        case .sessionOver: "Login ended elsewhere"
        case .lateProfile: "Late profile"
        case .secondProfile: "Second profile"
        case .profileEnded: "Profile ended"
        case .codeReplaced: "Code replaced"
        case .rewritten: "Rewritten answer"
        }
    }
}

extension SandboxWorld.Fault {
    /// The largest size in bytes of a body that replaces another one.
    package static let maximumBody = 65_536

    /// A Boolean value that indicates whether requests are still answered normally before the failure happens.
    var waits: Bool { (after ?? 0) > 0 }

    /// The fault without the numbers that are counted down, which identifies it while they are.
    package var uncounted: Self {
        var fault = self
        fault.requests = nil
        fault.after = nil
        return fault
    }
}

extension SandboxWorld {
    /// Returns the names of the fields that make a fault invalid in this world; empty when the fault is valid.
    package func problems(_ fault: Fault) -> [String] {
        var fields: [String] = []
        func check(_ field: String, _ isAllowed: Bool) {
            if !isAllowed, !fields.contains(field) { fields.append(field) }
        }
        let amounts: ClosedRange<Int>? =
            switch fault.kind {
            case .delay, .slowBody: 1...600_000
            case .status: 200...599
            case .wrongClock: -31_536_000...31_536_000
            case .lateProfile: 1...36_000
            default: nil
            }
        if let amounts {
            check("amount", fault.amount.map { amounts.contains($0) } ?? false)
        } else if fault.kind == .rewritten {
            check("body", fault.amount != nil || fault.body != nil)
            check("amount", fault.amount.map { (200...599).contains($0) } ?? true)
        } else {
            check("amount", fault.amount == nil)
        }
        if let body = fault.body { check("body", fault.kind == .rewritten && body.utf8.count <= Fault.maximumBody) }
        switch fault.kind {
        case .error: check("code", fault.code.map { EnhancedErrorRow.of($0) != nil } ?? false)
        case .degraded: check("code", fault.code.map { Provider.Degradation(rawValue: $0) != nil } ?? false)
        default: check("code", fault.code == nil)
        }
        if let step = fault.step {
            check("step", ServiceStep.named(step) != nil)
            check("step", fault.kind != .error || Behavior.RESTv2.Endpoint(rawValue: step) != nil)
            check("step", fault.kind.steps?.contains(step) ?? true)
        }
        if let id = fault.provider {
            check("provider", [.degraded, .unreachable, .secondProfile].contains(fault.kind) && provider(id) != nil)
        }
        check("provider", fault.kind != .secondProfile || fault.provider != nil)
        check("resource", fault.resource == nil || [.denied, .rewritten].contains(fault.kind))
        check("device", fault.device?.isEmpty != true)
        check("requests", fault.requests.map { (1...100_000).contains($0) } ?? true)
        check("after", fault.after.map { (0...100_000).contains($0) } ?? true)
        return fields
    }

    /// Returns the world with a fault applied.
    ///
    /// The faults of a connection do not change the world.
    func applying(_ fault: Fault) -> SandboxWorld {
        var world = self
        switch fault.kind {
        case .error:
            let endpoints = fault.step.map { [$0] } ?? Behavior.RESTv2.Endpoint.allCases.map(\.rawValue)
            for endpoint in endpoints { world.behavior.restV2.forcedErrors[endpoint] = fault.code }
        case .sessionOver:
            for endpoint in ["authorize", "preauthorize"] {
                world.behavior.restV2.forcedErrors[endpoint] = "authenticated_profile_invalidated"
            }
        case .denied:
            for index in world.viewers.indices {
                world.viewers[index].resources.removeAll {
                    fault.resource == nil || $0.isSameBytesIgnoringASCIICase(as: fault.resource ?? "")
                }
            }
        case .degraded:
            world.changeProviders(fault.provider) { $0.degradation = fault.code.flatMap(Provider.Degradation.init) }
        case .unreachable:
            world.changeProviders(fault.provider) { $0.isUnreachable = true }
        default: break
        }
        return world
    }

    private mutating func changeProviders(_ id: MVPDID?, _ change: (inout Provider) -> Void) {
        for index in providers.indices where id == nil || providers[index].id == id { change(&providers[index]) }
    }
}
