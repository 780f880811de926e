import TVEFlowEngine
import TVEModels
import TVENetworking
import TVETestTraits
import Testing

@Suite(.fewAtATime)
struct SessionEventsTests {
    @Test(.timeLimit(.hanging), arguments: ServiceDialect.allCases)
    func givesEveryStream_allEvents(dialect: ServiceDialect) async throws {
        let (session, _) = try await FlowFixture(dialect).session()
        let streams = [session.events, session.events]
        _ = await session.authenticationStatus()
        for stream in streams {
            var codes: [StatusCode] = []
            for await event in stream {
                if case .status(let event) = event { codes.append(event.code) }
                if case .authentication = event { break }
            }
            #expect(codes == [.notAuthenticated])
        }
    }

    @Test(.timeLimit(.hanging), arguments: ServiceDialect.allCases)
    func endsItsStreams_whenTheSessionIsGone(dialect: ServiceDialect) async throws {
        let stream = try await FlowFixture(dialect).session().0.events
        for await _ in stream {}
    }
}
