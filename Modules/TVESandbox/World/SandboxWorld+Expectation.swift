extension SandboxWorld {
    /// A tester's expectation of a client at one step, in addition to the vendor's acceptance list.
    ///
    /// Every flow, which is an application on a device, must meet it. An example in JSON:
    ///
    /// ```json
    /// { "name": "waits after a 429", "step": "authorize", "status": 429, "pause": 10 }
    /// ```
    public struct Expectation: Sendable, Hashable, Codable {
        /// The name of the expectation, which is a sentence.
        public var name: String
        /// The step to which it applies, by its name in the console.
        public var step: String
        /// The least number of requests at the step.
        public var atLeast: Int?
        /// The largest number of requests at the step.
        public var atMost: Int?
        /// The step that a client must have taken before its first request at this one, by its name in the console.
        public var follows: String?
        /// The HTTP status of the answers after which the client must wait for ``pause``; `nil` for any.
        public var status: Int?
        /// The shortest time in seconds between an answer at the step and the next request at the step.
        ///
        /// A request that arrives before the end of the answer need not wait, nor one after an answer that a simulated
        /// failure has kept from the client.
        public var pause: Int?

        /// Creates an expectation, which must have at least one of the conditions `atLeast`, `atMost`, `follows` and
        /// `pause`.
        ///
        /// - Parameters:
        ///   - name: the name of the expectation, a sentence.
        ///   - step: the step to which it applies.
        ///   - atLeast: the least number of requests at the step.
        ///   - atMost: the largest number of requests at the step.
        ///   - follows: the step that a client must have taken before its first request at this one.
        ///   - status: the HTTP status of the answers after which the client must wait; `nil` for any.
        ///   - pause: the shortest time in seconds between an answer at the step and the next request at the step.
        public init(
            _ name: String, step: String, atLeast: Int? = nil, atMost: Int? = nil, follows: String? = nil,
            status: Int? = nil, pause: Int? = nil
        ) {
            self.name = name
            self.step = step
            self.atLeast = atLeast
            self.atMost = atMost
            self.follows = follows
            self.status = status
            self.pause = pause
        }

        /// The names of the fields that make the expectation invalid; empty when it is valid.
        package var problems: [String] {
            var fields: [String] = []
            func check(_ field: String, _ isAllowed: Bool) { if !isAllowed { fields.append(field) } }
            check("name", !name.isEmpty && name.utf8.count <= 200)
            check("step", ServiceStep.named(step) != nil)
            check("follows", follows.map { ServiceStep.named($0) != nil && $0 != step } ?? true)
            check("atLeast", atLeast.map { (1...100_000).contains($0) } ?? true)
            // An expectation has at least one condition.
            let isEmpty = atLeast == nil && atMost == nil && follows == nil && pause == nil
            let least = atLeast ?? 0
            check("atMost", !isEmpty && atMost.map { (0...100_000).contains($0) && $0 >= least } ?? true)
            check("status", status.map { (200...599).contains($0) && pause != nil } ?? true)
            check("pause", pause.map { (1...86_400).contains($0) } ?? true)
            return fields
        }
    }
}
