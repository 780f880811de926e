extension SandboxWorld {
    /// What a tester expects of a client at one step, beside the vendor's acceptance list.
    ///
    /// It is judged in each flow, which is an application on a device: `{ "name": "waits after a 429", "step": "authorize",
    /// "status": 429, "pause": 10 }`.
    public struct Expectation: Sendable, Hashable, Codable {
        /// Its name, a sentence.
        public var name: String
        /// The step that it is about, by its name in the console.
        public var step: String
        /// The least number of requests at the step.
        public var atLeast: Int?
        /// The largest number of requests at the step.
        public var atMost: Int?
        /// A step that must come before each request, by its name.
        public var follows: String?
        /// The HTTP status of an answer after which the client waits for its `pause`; any when nil.
        public var status: Int?
        /// The least time in seconds between an answer at the step and the next request.
        public var pause: Int?

        /// Makes an expectation, which has at least one of the four conditions.
        ///
        /// - Parameters:
        ///   - name: its name, a sentence.
        ///   - step: the step that it is about.
        ///   - atLeast: the least number of requests at the step.
        ///   - atMost: the largest number of requests at the step.
        ///   - follows: a step that must come before each request.
        ///   - status: the status of an answer after which the client waits.
        ///   - pause: the least time in seconds between an answer and the next request.
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

        /// Why it is invalid, as the name of the wrong field; nil when it is valid.
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
