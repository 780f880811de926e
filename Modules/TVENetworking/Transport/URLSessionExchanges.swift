import Foundation
import HTTPTypes
import HTTPTypesFoundation
import TVEModels

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A collection of the answers of running tasks.
///
/// `URLSession` calls it from its own queue.
///
/// An exchange ends exactly once, because the code that removes its entry from the table also resumes the caller. The
/// caller then takes the outcome from the table under the lock, because the thread sanitizer does not always recognize
/// values that a continuation passes.
final class URLSessionExchanges: NSObject, URLSessionDataDelegate {
    typealias Outcome = Result<(HTTPResponse, Data), TransportError>

    private struct Exchange {
        let caller: CheckedContinuation<Void, Never>
        var body = Data()
    }

    private struct Table {
        var running: [Int: Exchange] = [:]
        /// The time limits of the tasks that have not ended.
        ///
        /// A task may outlive its caller.
        var deadlines: [Int: Task<Void, any Error>] = [:]
        /// The outcomes that their callers have not taken yet.
        var ended: [Int: Outcome] = [:]
        /// The tasks that were told not to follow a redirect, and are about to end by themselves.
        var redirected: Set<Int> = []
        /// The tasks that failed before they were started, because the caller was cancelled early.
        var failedEarly: [Int: TransportError] = [:]
    }

    private let maximumBytes: Int
    private let table = Guarded(Table())

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    func start(_ task: URLSessionDataTask, _ caller: CheckedContinuation<Void, Never>, timeout: Duration) {
        let hasFailed = table.withLock { table in
            if let early = table.failedEarly.removeValue(forKey: task.taskIdentifier) {
                table.ended[task.taskIdentifier] = .failure(early)
                return true
            }
            table.running[task.taskIdentifier] = Exchange(caller: caller)
            table.deadlines[task.taskIdentifier] = Task { [weak self] in
                try await Task.sleep(for: timeout)
                self?.fail(task, with: .timedOut)
            }
            return false
        }
        if hasFailed {
            caller.resume()
        } else {
            task.resume()
        }
    }

    /// Returns the outcome of an exchange whose caller was resumed.
    func outcome(of task: URLSessionTask) -> Outcome {
        table.withLock { $0.ended.removeValue(forKey: task.taskIdentifier) } ?? .failure(.cancelled)
    }

    func fail(_ task: URLSessionDataTask, with error: TransportError) {
        let (caller, mayCancel) = table.withLock { table -> (CheckedContinuation<Void, Never>?, Bool) in
            let running = table.running.removeValue(forKey: task.taskIdentifier)
            if running != nil {
                table.ended[task.taskIdentifier] = .failure(error)
            } else if task.state == .suspended {
                // Only a task that was never resumed can still be started.
                table.failedEarly[task.taskIdentifier] = error
            }
            return (running?.caller, !table.redirected.contains(task.taskIdentifier))
        }
        // Foundation on Linux ends the program if it is told after a cancellation not to follow a redirect
        // (`HTTPURLProtocol.swift`, "Received callback for HTTP redirection, but we're not waiting for it"). So a task
        // is either told or cancelled, and one that was told ends by itself.
        if mayCancel {
            // The task is not cancelled on the session's queue, where this method may run. On that queue, Foundation on
            // Linux waits for its decompression and collects the whole output, which can be a gigabyte. Otherwise, it
            // drops the output piece by piece.
            DispatchQueue.global().async { task.cancel() }
        }
        caller?.resume()
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = table.withLock { table in
            table.running[dataTask.taskIdentifier]?.body.append(data)
            return table.running[dataTask.taskIdentifier].map { $0.body.count > maximumBytes } ?? false
        }
        if isTooLarge { fail(dataTask, with: .answerTooLarge(limit: maximumBytes)) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        complete(task, error)
    }

    /// Ends an exchange and passes the answer or the error to its caller.
    func complete(_ task: URLSessionTask, _ error: (any Error)? = nil) {
        #if canImport(FoundationNetworking)
        let response = (task.response as? HTTPURLResponse).flatMap(Self.head(of:))
        #else
        let response = (task.response as? HTTPURLResponse)?.httpResponse
        #endif
        table.withLock { $0.deadlines.removeValue(forKey: task.taskIdentifier) }?.cancel()
        let caller = table.withLock { table -> CheckedContinuation<Void, Never>? in
            table.redirected.remove(task.taskIdentifier)
            guard let exchange = table.running.removeValue(forKey: task.taskIdentifier) else { return nil }
            let outcome: Outcome =
                if let error {
                    .failure(TransportError(error, hasHead: response != nil))
                } else if let response {
                    .success((response, exchange.body))
                } else {
                    .failure(.invalid)
                }
            table.ended[task.taskIdentifier] = outcome
            return exchange.caller
        }
        caller?.resume()
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let isRunning = table.withLock { table in
            guard table.running[task.taskIdentifier] != nil else { return false }
            table.redirected.insert(task.taskIdentifier)
            return true
        }
        if isRunning { completionHandler(nil) }
    }
}
