import Dispatch
import Foundation

/// Ctrl-C and the signal with which a system ends programs, handled in place of the program's end until ``end()``.
struct Interruptions {
    private static let numbers = [SIGINT, SIGTERM]
    private let sources: [any DispatchSourceSignal]

    init(_ handler: @escaping @Sendable () -> Void) {
        sources = Self.numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { handler() }
            source.resume()
            return source
        }
    }

    /// The signals end the program again.
    func end() {
        for source in sources { source.cancel() }
        for number in Self.numbers { signal(number, SIG_DFL) }
    }
}
