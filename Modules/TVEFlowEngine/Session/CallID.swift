/// Identifies a call that waits for its answer.
struct CallID: Hashable, Sendable {
    let number: Int
}
