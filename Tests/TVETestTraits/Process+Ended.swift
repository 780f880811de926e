public import Foundation

extension Process {
    /// Waits until the program has ended, and ends the program if the test is cancelled, as a time limit does.
    ///
    /// The wait has its own thread, because tasks share only a few threads.
    public func ended() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    self.waitForEnd()
                    continuation.resume()
                }
            }
        } onCancel: {
            terminate()
        }
    }

    /// Blocks the thread until the program has ended.
    ///
    /// `waitUntilExit` alone takes a whole processor core on Linux, because a thread without a run loop's sources asks
    /// again and again. Therefore the system waits first, and leaves the exit status to Foundation.
    public func waitForEnd() {
        while isRunning, waitid(P_PID, id_t(processIdentifier), nil, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        waitUntilExit()
    }
}
