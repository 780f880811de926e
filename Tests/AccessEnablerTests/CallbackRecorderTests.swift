import TVETestSupport
import TVETestTraits
import Testing

/// The waits for callbacks, which end at their limit and at no other one's.
@Suite(.timeLimit(.hanging))
struct CallbackRecorderTests {
    @Test func aWaitWithoutTime_ends() async {
        let recorder = CallbackRecorder()
        for _ in 0..<500 {
            #expect(await recorder.next(within: .zero) == nil)
        }
    }

    @Test func theLimitOfAWait_doesNotEndTheNextOne() async {
        let recorder = CallbackRecorder()
        for number in 0..<500 {
            let call = Task.detached { recorder.setRequestorComplete(Int32(number)) }
            var callback = await recorder.next(within: .zero)
            if callback == nil { callback = await recorder.next(within: .hanging) }
            #expect(callback == .requestorComplete(Int32(number)))
            await call.value
        }
    }
}
