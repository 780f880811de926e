import FlyingFox
import Foundation
import TVESandbox

/// The sandbox's events as server-sent events: a line of the list for each exchange, a sentence for each change.
enum EventFeed {
    static func reply(_ log: ExchangeLog) async -> SandboxReply {
        guard let events = log.listen() else { return await SandboxReply(HTTPResponse.status(503).guarded) }
        var reply = await SandboxReply(HTTPResponse.text("", type: "text/event-stream;charset=UTF-8").guarded)
        reply.manner = .stream { bytes(events) }
        return reply
    }

    private static func bytes(_ events: AsyncStream<SandboxEvent>) -> AsyncStream<Data> {
        let (bytes, writer) = AsyncStream<Data>.makeStream(bufferingPolicy: .bufferingNewest(2_000))
        let work = Task {
            await withTaskGroup(of: Void.self) { group in
                // A closed page is only noticed when something is sent to it.
                group.addTask {
                    while !Task.isCancelled {
                        writer.yield(Data(": here\n\n".utf8))
                        do { try await Task.sleep(for: .seconds(10)) } catch { return }
                    }
                }
                group.addTask {
                    for await event in events { writer.yield(text(event)) }
                }
                await group.next()
                group.cancelAll()
            }
            writer.finish()
        }
        writer.onTermination = { _ in work.cancel() }
        return bytes
    }

    private static func text(_ event: SandboxEvent) -> Data {
        switch event {
        case .exchange(let exchange):
            return Data("event: exchange\nid: \(exchange.id)\ndata: \(line(ExchangeRow.html(exchange)))\n\n".utf8)
        case .change(let sentence):
            return Data("event: change\ndata: \(line(sentence))\n\n".utf8)
        }
    }

    /// The text in one line, since a line break ends a field of the stream; in HTML it is white space.
    private static func line(_ text: String) -> String {
        String(decoding: text.utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }, as: UTF8.self)
    }
}
