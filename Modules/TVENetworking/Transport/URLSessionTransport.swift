public import Foundation
public import HTTPTypes
import HTTPTypesFoundation
public import TVEModels

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The default transport, which has its own `URLSession` without cookies, cache or redirects.
///
/// On Linux it requests answers without compression. Some answers end the program there, because of faults in
/// Foundation. `AsyncHTTPTransport` does not have these faults (Documentation/Specification/Decided.md, "Known to
/// fail").
///
/// On Linux it uses the proxy that `http_proxy`, `https_proxy` or `all_proxy` names, except for hosts that `no_proxy`
/// lists and for this machine. Before the first request to this machine it adds this machine to `no_proxy`, because
/// Foundation offers no other way. A program that reads and changes its environment on several threads should set
/// `no_proxy` itself.
public final class URLSessionTransport: HTTPTransport, Redacting {
    private let session: URLSession
    private let exchanges: URLSessionExchanges
    private let timeout: Duration

    /// Creates a transport with its own session.
    ///
    /// - Parameters:
    ///   - timeout: the time limit of a whole exchange.
    ///   - maximumBytes: the length of the longest answer that is accepted, in bytes.
    public init(timeout: Duration = .seconds(30), maximumBytes: Int = 16 << 20) {
        let timeout = timeout.asTimeLimit
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.timeoutIntervalForRequest = TimeInterval(timeout.components.seconds) + 1
        self.timeout = timeout
        self.exchanges = URLSessionExchanges(maximumBytes: maximumBytes)
        self.session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit {
        // A session retains its delegate until it is invalidated.
        session.finishTasksAndInvalidate()
    }

    /// The name of the type.
    ///
    /// A session prints the URLs of running exchanges, and they contain codes.
    public var redactedDescription: String { "URLSessionTransport" }

    /// Sends a request; see ``HTTPTransport/send(_:body:)``.
    ///
    /// An exchange that takes longer than the transport's limit ends with `.timedOut`.
    public func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        guard var urlRequest = URLRequest(httpRequest: request) else { throw .invalid }
        urlRequest.httpBody = body
        #if canImport(FoundationNetworking)
        ProxyVariables.exemptThisMachine(before: urlRequest.url)
        URLSessionExchanges.prepare(&urlRequest, with: request.headerFields)
        #endif
        let task = session.dataTask(with: urlRequest)
        await withTaskCancellationHandler {
            // The session's own time-out restarts with every byte, so an answer that arrives slowly would never end.
            await withCheckedContinuation { exchanges.start(task, $0, timeout: timeout) }
        } onCancel: {
            exchanges.fail(task, with: .cancelled)
        }
        return try exchanges.outcome(of: task).get()
    }
}

extension Duration {
    /// The duration, limited to what clocks and timers can represent: from zero to a hundred years.
    ///
    /// Foundation and the standard library end the program for a time limit that a clock cannot reach, for example one
    /// of `Int64.max` seconds.
    package var asTimeLimit: Duration { min(max(self, .zero), .seconds(3_153_600_000)) }
}
