#if VerificationService
import ServiceLifecycle

/// Reads files again and again until the service ends, and tells of each change.
///
/// - Parameters:
///   - interval: the time between two reads.
///   - read: returns what the files contain, or as much as shows a change.
///   - use: called with what was read when that differs from what was used last; `isFirst` until a call has succeeded.
///   - report: called with each error; `isNew` unless the attempt before it ended with the same one.
package func pollFiles<Content: Equatable & Sendable, Failure: Error & Equatable>(
    every interval: Duration, read: @escaping @Sendable () throws(Failure) -> Content,
    onChange use: @escaping @Sendable (_ content: Content, _ isFirst: Bool) throws(Failure) -> Void,
    onFailure report: @escaping @Sendable (_ error: Failure, _ isNew: Bool) -> Void
) async {
    await cancelWhenGracefulShutdown {
        var used: Content?
        var last: Failure?
        while !Task.isCancelled {
            do throws(Failure) {
                let found = try read()
                if found != used {
                    try use(found, used == nil)
                    used = found
                }
                last = nil
            } catch {
                report(error, error != last)
                last = error
            }
            guard (try? await Task.sleep(for: interval)) != nil else { return }
        }
    }
}
#endif
