package import Foundation
package import HTTPTypes
import TVEModels
package import TVENetworking

/// A transport that calls a service of this process directly, such as a sandbox's routes, and uses HTTP for the rest.
///
/// The service is called as long as the transport exists. A ``BrowserTransport`` then calls it directly too.
package final class DirectTransport: HTTPTransport {
    /// A closure that answers the requests to a service.
    package typealias Service = @Sendable (_ request: HTTPRequest, _ body: Data?) async -> (HTTPResponse, Data)

    private struct Entry {
        let owner: ObjectIdentifier
        let service: Service
    }

    /// The services by authority, of which the newest answers.
    private static let entries = Guarded<[String: [Entry]]>([:])

    private let authority: String?
    private let service: Service

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - address: the address at which the service also answers over HTTP.
    ///   - isDirect: a Boolean value that indicates whether the service is called directly instead of over HTTP.
    ///   - service: the closure that answers the requests to the address. The transport retains what it captures.
    package init(to address: URL, isDirect: Bool, service: @escaping Service) {
        self.service = service
        authority = isDirect ? "\(address.host() ?? ""):\(address.port ?? 80)" : nil
        guard let authority else { return }
        let entry = Entry(owner: ObjectIdentifier(self), service: service)
        Self.entries.withLock { $0[authority, default: []].append(entry) }
    }

    deinit {
        guard let authority else { return }
        let owner = ObjectIdentifier(self)
        Self.entries.withLock { entries in
            entries[authority]?.removeAll { $0.owner == owner }
            if entries[authority]?.isEmpty == true { entries[authority] = nil }
        }
    }

    package func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        try await BrowserTransport().send(request, body: body)
    }

    fileprivate static func service(at authority: String?) -> Service? {
        entries.withLock { $0[authority ?? ""]?.last?.service }
    }
}

/// A transport that calls each service that has a ``DirectTransport`` directly, and uses HTTP for the rest.
package struct BrowserTransport: HTTPTransport {
    private static let http = URLSessionTransport(timeout: .seconds(600))

    package init() {}

    package func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        guard let service = DirectTransport.service(at: request.authority) else {
            return try await Self.http.send(request, body: body)
        }
        await Self.pass()
        guard !Task.isCancelled else { throw .cancelled }
        let answer = await service(request, body)
        await Self.pass()
        // A request that is cancelled before its answer arrives gets none.
        guard !Task.isCancelled else { throw .cancelled }
        return answer
    }

    /// Suspends for real, as a network does.
    ///
    /// Without this, a task that has the only thread would go on at once, and nothing would come between the engine and
    /// its transport.
    private static func pass() async {
        await withCheckedContinuation { continuation in Task { continuation.resume() } }
    }
}
