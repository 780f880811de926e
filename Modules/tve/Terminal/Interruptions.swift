import Dispatch
import Foundation

/// The handling of Ctrl-C, of the signal with which a system ends programs, and of that of a closed terminal.
///
/// Until ``end()`` is called, the signals call a handler and do not end the program.
struct Interruptions {
    /// The signals that are handled.
    private let numbers: [Int32]
    private let sources: [any DispatchSourceSignal]

    /// Starts to handle the signals.
    ///
    /// The initializer returns when the signals are handled. Until then they end the program, so that none is lost.
    /// The program goes on after its terminal was closed if it was started so that it ignores the signal, as `nohup`
    /// does.
    ///
    /// - Parameter handler: the closure that each signal calls with its number.
    init(_ handler: @escaping @Sendable (Int32) -> Void) async {
        var numbers = [SIGINT, SIGTERM]
        // The call returns nil for a signal that ended the program until now.
        let before = signal(SIGHUP, SIG_DFL)
        if before == nil { numbers.append(SIGHUP) } else { signal(SIGHUP, before) }
        var sources: [any DispatchSourceSignal] = []
        for number in numbers {
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { handler(number) }
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
        self.numbers = numbers
        self.sources = sources
    }

    /// Stops handling the signals, which end the program again.
    func end() {
        for source in sources { source.cancel() }
        for number in numbers { signal(number, SIG_DFL) }
    }
}
