import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// A handler that asks a waiting client to send its body (RFC 9110, 10.1.1), and says which answer is the last one of
/// its connection (RFC 9112, 9.6).
///
/// Whether the body is read is decided later. For a caller without a key it is not.
final class ExpectedContinue: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The number of requests whose answers have not ended.
    private var open = 0
    /// The number of answers until the connection ends; `nil` if it stays open.
    private var rest: Int?
    /// A Boolean value that indicates whether the client waits before it sends the body of its last request.
    private var isWaiting = false

    func handlerAdded(context: ChannelHandlerContext) {
        // The version of HTTP is available only before the codec.
        let pipeline = context.pipeline.syncOperations
        if let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) {
            try? pipeline.addHandler(HeadOfHTTP1(), position: .before(codec))
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) {
            open += 1
            if rest == nil, head.headerFields[.connection] == "close" { rest = open }
            isWaiting = Self.isWaiting(head)
            proceed(context)
        } else {
            isWaiting = false
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where rest == 1 && head.status.kind != .informational:
            head.headerFields[.connection] = "close"
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            context.write(data, promise: promise)
            open -= 1
            rest = rest.map { $0 - 1 }
            proceed(context)
        default: context.write(data, promise: promise)
        }
    }

    /// Asks the client for the body, unless it would take this for the answer to an earlier request.
    private func proceed(_ context: ChannelHandlerContext) {
        guard isWaiting, open == 1 else { return }
        isWaiting = false
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
    }

    /// Returns a Boolean value that indicates whether a client waits before it sends the body of a request.
    private static func isWaiting(_ head: HTTPRequest) -> Bool {
        let fields = head.headerFields
        guard fields[.transferEncoding] != nil || fields[.contentLength] ?? "0" != "0",
            let name = HTTPField.Name("Expect"), let expectations = fields[name]
        else { return false }
        // A field that occurs several times is one list.
        let blanks = Set(" \t".utf8)
        return expectations.lowercased().utf8.split(separator: UInt8(ascii: ",")).contains { expectation in
            expectation.filter { !blanks.contains($0) }.elementsEqual("100-continue".utf8)
        }
    }

    /// A handler that refuses a request without its host (RFC 9112, 3.2), and lets the server close the connection
    /// after its answer to a request of HTTP/1.0, to one whose client asks for it, or to one for another protocol.
    ///
    /// An answer to HTTP/1.0 ends with the connection. After a request that offers another protocol (`Upgrade`, or
    /// the method `CONNECT`), the decoder takes all further bytes for those of that protocol, and reads no request.
    private final class HeadOfHTTP1: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias InboundOut = HTTPServerRequestPart

        /// A Boolean value that indicates whether the connection ends with the answer to a request that was refused.
        private var isRefused = false

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isRefused else { return }
            guard case .head(var head) = unwrapInboundIn(data) else {
                context.fireChannelRead(data)
                return
            }
            // A proxy may have judged a request with two hosts by the other one, so the request is refused.
            let hosts = head.headers["Host"].count
            guard hosts == 1 || (hosts == 0 && head.version != .http1_1) else {
                isRefused = true
                // The server answers this error with the status 400, as it does for any request that is not valid HTTP.
                context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
                return
            }
            let isLast = Self.closes(head.headers) || head.method == .CONNECT || head.headers.contains(name: "Upgrade")
            guard head.version == .http1_0 || isLast else {
                context.fireChannelRead(data)
                return
            }
            // The server knows the option only in this form.
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            // HTTP/1.0 has no expectations, so this one must not be answered.
            if head.version == .http1_0 { head.headers.remove(name: "Expect") }
            context.fireChannelRead(wrapInboundOut(.head(head)))
        }

        /// Returns a Boolean value that indicates whether a client asks for the end of the connection (RFC 9112, 9.6).
        ///
        /// The option may be one of several, and its case has no meaning.
        private static func closes(_ headers: HTTPHeaders) -> Bool {
            headers[canonicalForm: "Connection"].contains { $0.lowercased().utf8.elementsEqual("close".utf8) }
        }
    }
}
