import FlyingFox
import Foundation
import TVEModels
import TVESandbox

/// What an open console needs to know to stay true, as server-sent events: the versions of all that a page shows, the
/// token for changes, the service's clock, and sentences about changes.
///
/// A page asks again for what it shows when a version has grown. So a slow page misses nothing, and a burst of exchanges
/// costs a few events.
enum EventFeed {
    /// The least time between two events, and the longest: a page that hears nothing for longer is not connected.
    private static let pause = Duration.milliseconds(100)
    private static let beat = Duration.seconds(5)

    private struct Event: Encodable {
        let token: String
        /// The service's time, and by how much it was moved, in milliseconds.
        let now, moved: Int64
        let exchanges, world, changes, faults, held: Int
        /// Whether the state outlives the sandbox.
        let keeps: Bool
        let said: [String]
    }

    static func reply(_ routes: SandboxRoutes, _ index: SearchIndex) async -> SandboxReply {
        guard let signals = routes.log.watch() else { return await SandboxReply(HTTPResponse.status(503).guarded) }
        var reply = await SandboxReply(HTTPResponse.text("", type: "text/event-stream;charset=UTF-8").guarded)
        reply.manner = .stream { bytes(routes, index, signals) }
        return reply
    }

    private static func bytes(
        _ routes: SandboxRoutes, _ index: SearchIndex, _ signals: AsyncStream<Void>
    ) -> AsyncStream<Data> {
        let (bytes, writer) = AsyncStream<Data>.makeStream(bufferingPolicy: .bufferingNewest(64))
        let (wakes, waker) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let work = Task {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await _ in signals { waker.yield() }
                    waker.finish()
                }
                // A closed page is only noticed when something is sent to it.
                group.addTask {
                    while !Task.isCancelled {
                        waker.yield()
                        do { try await Task.sleep(for: beat) } catch { return }
                    }
                }
                group.addTask {
                    var told = routes.log.revision
                    for await _ in wakes {
                        let news = routes.log.news(since: told)
                        told = news.revision
                        writer.yield(text(routes, told, news.sentences))
                        index.prepare(routes.log.exchanges)
                        do { try await Task.sleep(for: pause) } catch { return }
                    }
                }
                await group.next()
                group.cancelAll()
            }
            writer.finish()
        }
        writer.onTermination = { _ in work.cancel() }
        return bytes
    }

    private static func text(_ routes: SandboxRoutes, _ revision: ExchangeLog.Revision, _ said: [String]) -> Data {
        let (world, version) = routes.current.versioned
        let event = Event(
            token: routes.gate.token, now: routes.state.now.milliseconds,
            moved: Int64(bounded: routes.clock.offset * 1000), exchanges: revision.exchanges, world: version,
            changes: revision.changes, faults: world.faults.count, held: routes.holds.held.count,
            keeps: routes.folder != nil, said: said)
        // Strings and numbers can always be encoded; JSON has no line break, which would end a field of the stream.
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = (try? encoder.encode(event)) ?? Data()
        return Data("event: state\ndata: ".utf8) + json + Data("\n\n".utf8)
    }
}
