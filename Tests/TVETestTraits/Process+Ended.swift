public import Foundation

extension Process {
    /// Waits until the program has ended, and ends the program if the test is cancelled, as a time limit does.
    ///
    /// The wait has its own thread, because tasks share only a few threads.
    public func ended() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    self.waitUntilExit()
                    continuation.resume()
                }
            }
        } onCancel: {
            terminate()
        }
    }
}
