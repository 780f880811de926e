import TVETestTraits
import Testing

@testable import TVEFlowEngine

@Suite("Calls that wait for an answer", .timeLimit(.hanging))
struct CallersTests {
    /// Otherwise the work that the call has begun would run for a moment, and could send a request or show something.
    @Test func aCallOfACancelledTask_isLeft_inTheTurnInWhichItBegins() async {
        // The handler of the cancellation may also come in time by chance, but not in each of these tries.
        for _ in 0..<100 {
            let gate = Gate()
            let call = Task {
                // Only the cancellation lets this task pass.
                await gate.pass()
                return await Session().stepsOfACall()
            }
            call.cancel()
            #expect(await call.value == ["begun", "left"])
        }
    }
}

/// A stand-in for a session, which is the actor that isolates its flow.
private actor Session {
    private let flow = Flow()

    /// Returns the steps up to the answer of a call.
    func stepsOfACall() async -> [String] { await flow.stepsOfACall(on: self) }
}

private final class Flow {
    private let callers = Callers<[String]>()
    private var steps: [String] = []

    func stepsOfACall(on actor: isolated any Actor) async -> [String] {
        await callers.wait(on: actor) { _ in
            begin(on: actor)
        } leave: { [self] call in
            steps.append("left")
            callers.answer([call], steps)
        }
    }

    private func begin(on actor: isolated any Actor) {
        steps.append("begun")
        Task {
            // The closure names the actor, because only then does the task run on it.
            _ = actor
            steps.append("the work runs")
        }
    }
}
