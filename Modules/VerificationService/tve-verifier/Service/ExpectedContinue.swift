import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Tells a client that waits with its body to send it (RFC 9110, 10.1.1), and closes the connections of HTTP/1.0.
///
/// Whether the body is read, is decided later: of a caller without a key it is not.
final class ExpectedContinue: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    func handlerAdded(context: ChannelHandlerContext) {
        // Behind the codec the version of HTTP is not known any more.
        let pipeline = context.pipeline.syncOperations
        if let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) {
            try? pipeline.addHandler(OldVersion(), position: .before(codec))
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data), let name = HTTPField.Name("Expect"),
            head.headerFields[name]?.lowercased() == "100-continue"
        {
            context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
        }
        context.fireChannelRead(data)
    }

    /// Lets the server close the connection after the answer to a request of HTTP/1.0, which has no other end.
    private final class OldVersion: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias InboundOut = HTTPServerRequestPart

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(var head) = unwrapInboundIn(data), head.version.major == 1, head.version.minor == 0 else {
                context.fireChannelRead(data)
                return
            }
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            // Expectations are of HTTP/1.1, and must not be answered here.
            head.headers.remove(name: "Expect")
            context.fireChannelRead(wrapInboundOut(.head(head)))
        }
    }
}
