import FlyingFox
import Foundation
import TVEModels
import TVESandbox

/// The server-sent events that keep the open pages of the console up to date.
///
/// An event contains the versions of everything that a page shows, the token for changes, the service's clock, and
/// sentences about recent changes. A page reloads its content when a version has grown. Therefore a slow page misses
/// nothing, and a burst of exchanges causes only a few events.
enum EventFeed {
    /// The shortest time between two events.
    private static let pause = Duration.milliseconds(100)
    /// The longest time between two events.
    ///
    /// A page that receives nothing for three times as long reports a lost connection.
    private static let beat = Duration.seconds(5)

    private struct Event: Encodable {
        let token: String
        /// The service's time, and the offset by which its clock was moved, both in milliseconds.
        let now, moved: Int64
        let exchanges, world, changes, faults, held: Int
        /// A Boolean value that indicates whether the state is stored and outlives the sandbox.
        let keeps: Bool
        let said: [String]
    }

    static func reply(_ routes: SandboxRoutes, _ index: SearchIndex) async -> SandboxReply {
        guard let signals = routes.log.watch() else { return await SandboxReply(HTTPResponse.status(503).guarded) }
        var reply = await SandboxReply(HTTPResponse.text("", type: "text/event-stream;charset=UTF-8").guarded)
        reply.delivery = .stream { bytes(of: routes, index: index, signals: signals) }
        return reply
    }

    private static func bytes(
        of routes: SandboxRoutes, index: SearchIndex, signals: AsyncStream<Void>
    ) -> AsyncStream<Data> {
        let (bytes, writer) = AsyncStream<Data>.makeStream(bufferingPolicy: .bufferingNewest(64))
        let (wakes, waker) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let work = Task {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await _ in signals { waker.yield() }
                    waker.finish()
                }
                // The server notices that a page was closed only when it sends something to it.
                group.addTask {
                    while !Task.isCancelled {
                        waker.yield()
                        do { try await Task.sleep(for: beat) } catch { return }
                    }
                }
                group.addTask {
                    var revision = routes.log.revision
                    for await _ in wakes {
                        let news = routes.log.news(since: revision)
                        revision = news.revision
                        writer.yield(event(of: routes, revision: revision, sentences: news.sentences))
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

    private static func event(
        of routes: SandboxRoutes, revision: ExchangeLog.Revision, sentences: [String]
    ) -> Data {
        let (world, version) = routes.current.versioned
        let event = Event(
            token: routes.gate.token, now: routes.state.now.milliseconds,
            moved: Int64(bounded: routes.clock.offset * 1000), exchanges: revision.exchanges, world: version,
            changes: revision.changes, faults: world.faults.count, held: routes.holds.held.count,
            keeps: routes.folder != nil, said: sentences)
        // Encoding strings and numbers cannot fail. The JSON contains no line break, which would end the field.
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = (try? encoder.encode(event)) ?? Data()
        return Data("event: state\ndata: ".utf8) + json + Data("\n\n".utf8)
    }
}
