/// One step of the demo: the call and its outcome.
struct TimelineStep: Codable, Sendable {
    /// One thing that happened during a step.
    struct Entry: Codable, Sendable {
        /// Where it happened.
        enum Kind: String, Codable {
            /// An HTTP exchange of the library.
            case http
            /// An HTTP exchange of the viewer's browser.
            case browser
            /// A call of the app in answer to a callback.
            case call
            /// A delegate callback.
            case callback
            /// The result of the step.
            case result
        }

        let kind: Kind
        let text: String
        /// How long it took, for exchanges.
        var milliseconds: Double?
    }

    let number: Int
    /// The call, as an app writes it.
    let call: String
    var entries: [Entry] = []
    var milliseconds = 0.0
    /// Whether the step succeeded.
    var isGood = true
}
