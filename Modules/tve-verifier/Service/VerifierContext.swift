#if VerificationService
import Hummingbird
import NIOCore

/// What is known of a request beside itself: the connection that it came over.
struct VerifierContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }
}
#endif
