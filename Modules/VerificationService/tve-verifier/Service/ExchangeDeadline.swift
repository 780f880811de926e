import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// A handler that closes a connection on which a request, or the reading of its answer, takes too long.
///
/// The server itself closes idle connections. This handler closes connections on which data trickles in, and
/// connections whose request was refused before its body was read.
final class ExchangeDeadline: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limit: TimeAmount
    /// The number of requests and answers whose end is still expected.
    private var open = 0
    /// The time by which the next end must have arrived; `nil` if none is expected.
    private var deadline: NIODeadline?
    private var timer: Scheduled<Void>?

    /// Creates the handler of one connection.
    ///
    /// - Parameter limit: the time that an exchange may take.
    init(_ limit: TimeAmount) {
        self.limit = limit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            open += 2
            if deadline == nil { watch(context) }
        case .body: break
        case .end: endHalf()
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else {
            if case .head(let head) = unwrapOutboundIn(data), [.requestTimeout, .contentTooLarge].contains(head.status)
            {
                // The delay lets the answer arrive. Closing at once would discard it.
                _ = context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) { context.close(promise: nil) }
            }
            context.write(data, promise: promise)
            return
        }
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenComplete { _ in
            self.endHalf()
            // A client that sent its next request before this answer gets the full time for that request.
            if self.open > 0 { self.watch(context) }
        }
        context.write(data, promise: written)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }

    private func endHalf() {
        open -= 1
        if open == 0 { deadline = nil }
    }

    private func watch(_ context: ChannelHandlerContext) {
        deadline = .now() + limit
        if timer == nil { schedule(context, in: limit) }
    }

    /// Schedules the only timer of the connection, which checks the deadline when it fires.
    private func schedule(_ context: ChannelHandlerContext, in time: TimeAmount) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            self.timer = nil
            guard let deadline = self.deadline else { return }
            let now = NIODeadline.now()
            if now < deadline { self.schedule(context, in: deadline - now) } else { context.close(promise: nil) }
        }
    }
}
