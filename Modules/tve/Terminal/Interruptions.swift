import Dispatch
import Foundation

/// Ctrl-C and the signal with which a system ends programs, handled in place of the program's end until ``end()``.
struct Interruptions {
    private static let numbers = [SIGINT, SIGTERM]
    private let sources: [any DispatchSourceSignal]

    /// Returns when the signals are handled: until then they end the program, and none is lost between.
    init(_ handler: @escaping @Sendable () -> Void) async {
        var sources: [any DispatchSourceSignal] = []
        for number in Self.numbers {
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { handler() }
            await withCheckedContinuation { registered in
                source.setRegistrationHandler {
                    #if canImport(Darwin)
                    // There a source only listens; elsewhere it has replaced what the signal does.
                    signal(number, SIG_IGN)
                    #endif
                    registered.resume()
                }
                source.resume()
            }
            sources.append(source)
        }
        self.sources = sources
    }

    /// The signals end the program again.
    func end() {
        for source in sources { source.cancel() }
        for number in Self.numbers { signal(number, SIG_DFL) }
    }
}
