import TVETestTraits
import Testing

@testable import AccessEnabler

/// The page of an automatic browser, which ends with the stage of its login.
@Suite(.timeLimit(.hanging))
struct AutomaticPageTests {
    private let page = AutomaticPage()

    /// A page that is open retains what it shows.
    @Test(arguments: [false, true])
    func opens_unlessItsStageHasEnded(hasEnded: Bool) async {
        final class Content: Sendable {}
        let (stays, leave) = AsyncStream<Void>.makeStream()
        weak var shown: Content?
        if hasEnded { page.end() }
        do {
            let content = Content()
            shown = content
            page.open { [content] in
                for await _ in stays {}
                withExtendedLifetime(content) {}
            }
        }
        #expect((shown == nil) == hasEnded)
        leave.finish()
    }

    @Test func closes_atTheEndOfItsStage() async {
        let (stays, leave) = AsyncStream<Void>.makeStream()
        let (ends, end) = AsyncStream<Bool>.makeStream()
        page.open {
            for await _ in stays {}
            end.yield(Task.isCancelled)
            end.finish()
        }
        page.end()
        var wasCancelled: [Bool] = []
        for await isCancelled in ends { wasCancelled.append(isCancelled) }
        #expect(wasCancelled == [true])
        leave.finish()
    }
}
