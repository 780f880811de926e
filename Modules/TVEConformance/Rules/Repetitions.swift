/// A request that fails again and again, with the calls that repeated it.
///
/// Each repetition is judged by the answer before it: up to three may follow answers that allow one, and a single one
/// may follow any other answer, because it may be the viewer's.
struct Repetitions {
    private var calls: [Call] = []
    private var mayFollow = false
    private var allowed = 0
    private var others = 0

    private var areTooMany: Bool { allowed > 3 || others > 1 }

    /// Adds a call that failed, and begins anew with it unless it repeats the last one.
    ///
    /// A call that was sent before the first answer arrived is not added, because its sender could not know of that
    /// answer.
    ///
    /// - Parameters:
    ///   - call: the call.
    ///   - mayRepeat: a Boolean value that indicates whether its answer allows a repetition.
    ///   - repeats: a closure that receives the last call, and returns a Boolean value that indicates whether this one
    ///     repeats it.
    /// - Returns: all calls, if this one is the first that the client should not have sent; otherwise nil.
    mutating func add(_ call: Call, mayRepeat: Bool, ifRepeating repeats: (Call) -> Bool) -> [Call]? {
        if calls.last.map(repeats) != true { self = Repetitions() }
        if let first = calls.first, call.cannotKnow(of: first) { return nil }
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
        return areTooMany && !wereTooMany ? calls : nil
    }
}
