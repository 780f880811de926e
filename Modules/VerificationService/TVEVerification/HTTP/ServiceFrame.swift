import HTTPTypes
public import Hummingbird

/// Middleware that turns errors into problem documents, and closes connections during a shutdown.
///
/// Clients whose connection was closed send their next request to another machine.
public struct ServiceFrame<Context: RequestContext>: RouterMiddleware {
    private let readiness: Readiness
    /// The methods of each path, in the form of the field `Allow`.
    static var methods: [String: String] {
        [
            "/v1/verify": "POST", "/v1/verify/batch": "POST", "/healthz": "GET, HEAD", "/readyz": "GET, HEAD",
            "/metrics": "GET, HEAD", "/openapi.json": "GET, HEAD",
        ]
    }

    /// Creates the middleware.
    ///
    /// - Parameter readiness: the state that reports whether the service is shutting down.
    public init(readiness: Readiness) {
        self.readiness = readiness
    }

    /// Answers a request with the response of the routes, or with a problem document.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch let problem as Problem {
            response = problem.response
        } catch let error as HTTPError where error.status == .notFound {
            // The router ignores further slashes as well.
            let path = "/" + request.uri.path.split(separator: "/").joined(separator: "/")
            response = (Self.methods[path].map(Problem.methodNotAllowed) ?? .notFound).response
        }
        if readiness.isDraining { response.headers[.connection] = "close" }
        // An answer to HEAD has no body. A client would read one as the beginning of the next answer.
        return request.method == .head ? response.createHeadResponse() : response
    }
}
