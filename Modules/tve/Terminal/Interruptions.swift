import Dispatch
import Foundation

/// The handling of Ctrl-C and of the signal with which a system ends programs.
///
/// Until ``end()`` is called, the signals call a handler and do not end the program.
struct Interruptions {
    private static let numbers = [SIGINT, SIGTERM]
    private let sources: [any DispatchSourceSignal]

    /// Starts to handle the signals.
    ///
    /// The initializer returns when the signals are handled. Until then they end the program, so that none is lost.
    ///
    /// - Parameter handler: the closure that each signal calls.
    init(_ handler: @escaping @Sendable () -> Void) async {
        var sources: [any DispatchSourceSignal] = []
        for number in Self.numbers {
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { handler() }
            await withCheckedContinuation { registered in
                source.setRegistrationHandler {
                    #if canImport(Darwin)
                    // On Apple's systems a source only listens. Elsewhere it has already replaced the default action.
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

    /// Stops handling the signals, which end the program again.
    func end() {
        for source in sources { source.cancel() }
        for number in Self.numbers { signal(number, SIG_DFL) }
    }
}
