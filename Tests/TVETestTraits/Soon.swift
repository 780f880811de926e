import Foundation

/// Waits until something is true, for half a minute at most, where a fault would let it never be true.
///
/// A correct program needs milliseconds; the limit is for machines on which many tests share one busy core.
///
/// - Parameters:
///   - isolation: where the caller runs.
///   - condition: is asked again and again.
/// - Returns: whether it became true.
public func soon(
    isolation: isolated (any Actor)? = #isolation, _ condition: () async -> Bool
) async -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(30)
    while clock.now < deadline, !Task.isCancelled {
        if await condition() { return true }
        // Polling without a pause would take the core from the code it waits for.
        try? await clock.sleep(for: .milliseconds(1))
    }
    return await condition()
}
