public import Foundation
import TVEModels

/// Appends every event to a file, one JSON object a line: `time`, `event`, `data`.
///
/// Lines are written whole and one after the other, by one write each, so that several processes may share a file. What cannot be
/// written is counted and otherwise lost: tracking must not stop a viewer.
public final class FileTrackingSink: TrackingSink {
    private struct State {
        let descriptor: CInt
        var lost = 0
    }

    private let state: Guarded<State>

    /// Opens a file, which only its owner may read, and makes it if it is not there.
    ///
    /// - Parameter url: the file; a symbolic link in its place is refused.
    /// - Throws: ``TrackingFileError`` with the system's error number.
    public init(_ url: URL) throws(TrackingFileError) {
        let descriptor = open(url.path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw TrackingFileError(errorNumber: errno) }
        state = Guarded(State(descriptor: descriptor))
    }

    deinit {
        state.withLock { _ = close($0.descriptor) }
    }

    /// How many events could not be written.
    public var lostEvents: Int { state.withLock(\.lost) }

    /// Appends a line; see ``TrackingSink``.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - client: what the service said about this client.
    ///   - time: when it happened.
    public func record(_ event: TrackingEvent, client: TrackedClient, at time: Date) {
        let line = Array("\(TrackingLine(event, client: client, at: time).text)\n".utf8)
        state.withLock { state in
            if write(state.descriptor, line, line.count) != line.count { state.lost += 1 }
        }
    }
}
