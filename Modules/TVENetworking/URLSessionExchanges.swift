import Foundation
import HTTPTypes
import HTTPTypesFoundation
import TVEModels

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Collects the answers of running tasks; `URLSession` calls it from its own queue.
///
/// An exchange ends exactly once: whoever takes its entry out of the table resumes the caller.
final class URLSessionExchanges: NSObject, URLSessionDataDelegate {
    typealias Outcome = Result<(HTTPResponse, Data), TransportError>

    private struct Exchange {
        let caller: CheckedContinuation<Outcome, Never>
        var body = Data()
    }

    private struct Table {
        var running: [Int: Exchange] = [:]
        /// Tasks that failed before they were started, as happens when the caller is cancelled early.
        var failedEarly: [Int: TransportError] = [:]
    }

    private let maximumBytes: Int
    private let table = Guarded(Table())

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    func start(_ task: URLSessionDataTask, _ caller: CheckedContinuation<Outcome, Never>) {
        let early = table.withLock { table -> TransportError? in
            if let early = table.failedEarly.removeValue(forKey: task.taskIdentifier) { return early }
            table.running[task.taskIdentifier] = Exchange(caller: caller)
            return nil
        }
        if let early {
            caller.resume(returning: .failure(early))
        } else {
            task.resume()
        }
    }

    func fail(_ task: URLSessionDataTask, with error: TransportError) {
        let exchange = table.withLock { table -> Exchange? in
            if let running = table.running.removeValue(forKey: task.taskIdentifier) { return running }
            // Only a task that was never resumed can still be started.
            if task.state == .suspended { table.failedEarly[task.taskIdentifier] = error }
            return nil
        }
        task.cancel()
        exchange?.caller.resume(returning: .failure(error))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = table.withLock { table in
            table.running[dataTask.taskIdentifier]?.body.append(data)
            return table.running[dataTask.taskIdentifier].map { $0.body.count > maximumBytes } ?? false
        }
        if isTooLarge { fail(dataTask, with: .answerTooLarge(limit: maximumBytes)) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = table.withLock({ $0.running.removeValue(forKey: task.taskIdentifier) }) else { return }
        if let error {
            exchange.caller.resume(returning: .failure(TransportError(error)))
        } else if let response = (task.response as? HTTPURLResponse)?.httpResponse {
            exchange.caller.resume(returning: .success((response, exchange.body)))
        } else {
            exchange.caller.resume(returning: .failure(.invalid))
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

extension TransportError {
    fileprivate init(_ error: any Error) {
        let code = (error as? URLError)?.code ?? .unknown
        switch code {
        case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet, .networkConnectionLost:
            self = .unreachable
        case .timedOut:
            self = .timedOut
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired:
            self = .notTrusted
        case .cancelled:
            self = .cancelled
        case .badServerResponse, .cannotParseResponse, .badURL, .unsupportedURL:
            self = .invalid
        default:
            self = .other(code: code.rawValue)
        }
    }
}
