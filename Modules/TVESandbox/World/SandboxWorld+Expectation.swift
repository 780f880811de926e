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

        /// The name of the field that makes the expectation invalid; `nil` when it is valid.
        package var problem: String? {
            let counts = 0...100_000
            if name.isEmpty || name.utf8.count > 200 { return "name" }
            if ServiceStep.named(step) == nil { return "step" }
            if let follows, ServiceStep.named(follows) == nil || follows == step { return "follows" }
            if let atLeast, !(1...100_000).contains(atLeast) { return "atLeast" }
            if let atMost, !counts.contains(atMost) || atMost < atLeast ?? 0 { return "atMost" }
            if let status, !(200...599).contains(status) || pause == nil { return "status" }
            if let pause, !(1...86_400).contains(pause) { return "pause" }
            return atLeast == nil && atMost == nil && follows == nil && pause == nil ? "atMost" : nil
        }
    }
}
