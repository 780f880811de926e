import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// A handler that asks a waiting client to send its body (RFC 9110, 10.1.1), and closes connections of HTTP/1.0.
///
/// Whether the body is read is decided later. For a caller without a key it is not.
final class ExpectedContinue: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    func handlerAdded(context: ChannelHandlerContext) {
        // The version of HTTP is available only before the codec.
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

    /// A handler that lets the server close the connection after its answer to a request of HTTP/1.0.
    ///
    /// Such an answer ends with the connection.
    private final class OldVersion: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias InboundOut = HTTPServerRequestPart

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(var head) = unwrapInboundIn(data), head.version.major == 1, head.version.minor == 0 else {
                context.fireChannelRead(data)
                return
            }
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            // HTTP/1.0 has no expectations, so this one must not be answered.
            head.headers.remove(name: "Expect")
            context.fireChannelRead(wrapInboundOut(.head(head)))
        }
    }
}
