/// A request that fails again and again, with the calls that repeated it.
///
/// Each repetition is judged by the answer before it: up to three may follow answers that allow one, and a single one
/// may follow any other answer, because it may be the viewer's.
struct Repetitions {
    private(set) var calls: [Call] = []
    private var mayFollow = false
    private var allowed = 0
    private var others = 0

    private var areTooMany: Bool { allowed > 3 || others > 1 }

    /// Adds a call that failed.
    ///
    /// - Parameters:
    ///   - call: the call.
    ///   - mayRepeat: a Boolean value that indicates whether its answer allows a repetition.
    /// - Returns: a Boolean value that indicates whether this call is the first one that the client should not have
    ///   sent.
    mutating func add(_ call: Call, mayRepeat: Bool) -> Bool {
        let wereTooMany = areTooMany
        if !calls.isEmpty {
            if mayFollow {
                allowed += 1
            } else {
                others += 1
            }
        }
        calls.append(call)
        mayFollow = mayRepeat
        return areTooMany && !wereTooMany
    }
}
