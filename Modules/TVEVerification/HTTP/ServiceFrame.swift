#if VerificationService
import HTTPTypes
public import Hummingbird

/// What a service does around its routes: errors become problem documents, and while it ends clients are told to go elsewhere.
public struct ServiceFrame<Context: RequestContext>: RouterMiddleware {
    private let readiness: Readiness
    private static var methods: [String: String] {
        [
            "/v1/verify": "POST", "/v1/verify/batch": "POST", "/healthz": "GET", "/readyz": "GET", "/metrics": "GET",
            "/openapi.json": "GET",
        ]
    }

    /// Makes the frame.
    ///
    /// - Parameter readiness: says whether the service is about to end.
    public init(readiness: Readiness) {
        self.readiness = readiness
    }

    /// Answers a request.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch let problem as Problem {
            response = problem.response
        } catch let error as HTTPError where error.status == .notFound {
            response = (Self.methods[request.uri.path].map(Problem.methodNotAllowed) ?? .notFound).response
        }
        if readiness.isDraining { response.headers[.connection] = "close" }
        return response
    }
}
#endif
