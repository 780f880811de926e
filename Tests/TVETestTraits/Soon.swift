import Foundation

/// Waits until a condition is true, or so much time has passed that it never will be.
///
/// A correct program needs milliseconds. The limit allows for machines on which many tests share one busy core.
///
/// - Parameters:
///   - isolation: the isolation of the caller.
///   - condition: the closure that is called repeatedly until it returns `true`.
/// - Returns: a Boolean value that indicates whether the condition became true.
public func soon(
    isolation: isolated (any Actor)? = #isolation, _ condition: () async -> Bool
) async -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(600)
    while clock.now < deadline, !Task.isCancelled {
        if await condition() { return true }
        // Polling without a pause would take the processor core from the code for which it waits.
        try? await clock.sleep(for: .milliseconds(1))
    }
    return await condition()
}
