#if VerificationService
import HTTPTypes
import Hummingbird
import NIOCore

/// Ends connections whose request was refused before its body was read; else somebody could go on sending it for ever.
struct HangUp: RouterMiddleware {
    func handle(
        _ request: Request, context: VerifierContext, next: (Request, VerifierContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        if [.requestTimeout, .contentTooLarge].contains(response.status) {
            let channel = context.channel
            // Time for the answer to arrive: closing at once would throw it away.
            _ = channel.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
        }
        return response
    }
}
#endif
