import Foundation
import NIOConcurrencyHelpers
@_spi(VerificationService) import TVEModels

/// The standard error of the service, which drops lines while their reader stands still.
///
/// The threads that answer requests and serve Redis log too. If a line waited for its reader, the service would stop
/// with it, and not even a signal would end it.
final class StandardError: Sendable {
    private let descriptor: Int32
    private let state = NIOLockedValueBox(State())

    private struct State {
        /// The number of lines that were dropped or cut off since the last whole one.
        var dropped = 0
        /// A Boolean value that indicates whether the last line was cut off, so that it has no line break.
        var isCutOff = false
    }

    /// Creates the output.
    ///
    /// - Parameter descriptor: the file descriptor of the output.
    init(descriptor: Int32 = STDERR_FILENO) {
        self.descriptor = descriptor
    }

    /// Writes a line, or drops it.
    ///
    /// Lines of several threads do not mix.
    ///
    /// - Parameter line: a closure that returns the line without its line break. It receives the number of lines that
    ///   were dropped or cut off since the last whole one, and must not write to this output.
    func write(_ line: (_ dropped: Int) -> [UInt8]) {
        let lineBreak = UInt8(ascii: "\n")
        state.withLockedValue { state in
            let bytes: [UInt8] = (state.isCutOff ? [lineBreak] : []) + line(state.dropped) + [lineBreak]
            // A reader that lives may be a moment late. One that stands still costs this time once.
            let patience: Int32 = state.dropped == 0 ? 20 : 0
            let count = ServiceSupport.write(bytes, to: descriptor, within: patience)
            guard count < bytes.count else { return state = State() }
            state.dropped += 1
            if count > 0 { state.isCutOff = bytes[count - 1] != lineBreak }
        }
    }
}
