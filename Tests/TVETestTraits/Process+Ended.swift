import Dispatch
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
            end()
        }
    }

    /// Ends the program, whatever it does with signals.
    ///
    /// SIGTERM lets the program end those that it has started. But a program inherits the signals that the thread which
    /// starts it blocks, and a thread of a task blocks SIGTERM. Therefore SIGKILL follows.
    public func end() {
        terminate()
        // Only a test that has failed waits for this second.
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) {
            if self.isRunning { kill(self.processIdentifier, SIGKILL) }
        }
    }

    /// Blocks the thread until the program has ended.
    ///
    /// `waitUntilExit` alone takes a whole processor core on Linux, because a thread without a run loop's sources asks
    /// again and again. Therefore the system waits first, and leaves the exit status to Foundation.
    public func waitForEnd() {
        while isRunning, waitid(P_PID, id_t(processIdentifier), nil, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        // Foundation learns of the end a moment later, on a thread of its own that needs the core.
        while isRunning { usleep(200) }
        waitUntilExit()
    }
}
