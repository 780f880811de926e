public import Foundation
import TVEModels

/// Appends every event to a file, one JSON object per line: `time`, `event`, `data`.
///
/// Each line is written with a single write, so that several processes may share a file. An event that cannot be
/// written is lost and counted: tracking must not stop a viewer.
public final class FileTrackingSink: TrackingSink {
    private struct State {
        let descriptor: CInt
        var lost = 0
        /// Whether the last line is incomplete, so that the next one must begin with a line end.
        var isCut = false
    }

    /// Writes bytes, and returns how many were written, or a negative number.
    package typealias Write = @Sendable (CInt, [UInt8]) -> Int

    private let state: Guarded<State>
    private let write: Write

    /// Opens a file, which only its owner may read; creates it if it is missing.
    ///
    /// - Parameter url: the file; a symbolic link is refused.
    /// - Throws: ``TrackingFileError`` with the system's error number.
    public convenience init(_ url: URL) throws(TrackingFileError) {
        try self.init(url) { descriptor, bytes in bytes.withSpan { SystemCall.write($0, to: descriptor) } }
    }

    /// Opens a file whose system writes in another way.
    package init(_ url: URL, write: @escaping Write) throws(TrackingFileError) {
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW
        let descriptor = SystemCall.open(url.path, flags, mode: 0o600)
        guard descriptor >= 0 else { throw TrackingFileError(errorNumber: errno) }
        // An existing file may have been created with other permissions.
        let isFile = SystemCall.status(of: descriptor).map { $0.st_mode & S_IFMT == S_IFREG } ?? false
        guard !isFile || fchmod(descriptor, 0o600) == 0 else {
            let error = errno
            close(descriptor)
            throw TrackingFileError(errorNumber: error)
        }
        state = Guarded(State(descriptor: descriptor))
        self.write = write
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
    ///   - client: how the service describes this client.
    ///   - time: when it happened.
    public func record(_ event: TrackingEvent, client: TrackedClient, at time: Date) {
        let text = TrackingLine(event, client: client, at: time).text
        state.withLock { state in
            let line = Array("\(state.isCut ? "\n" : "")\(text)\n".utf8)
            let written = write(state.descriptor, line)
            if written != line.count { state.lost += 1 }
            if written > 0 { state.isCut = written != line.count }
        }
    }
}

/// One event as a line of JSON.
private struct TrackingLine: Encodable {
    let time: String
    let event: String
    let data: [String]

    init(_ event: TrackingEvent, client: TrackedClient, at time: Date) {
        self.time = time.formatted(.iso8601)
        self.event = event.name
        data = event.data(client: client)
    }

    /// The line without its end; keys are sorted, so that equal events are equal lines.
    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings only: always valid JSON.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

/// Why a file for tracking events could not be opened.
public struct TrackingFileError: Error, Sendable, Hashable {
    /// The system's error number.
    public let errorNumber: Int32

    /// Makes an error.
    ///
    /// - Parameter errorNumber: the system's error number.
    public init(errorNumber: Int32) {
        self.errorNumber = errorNumber
    }
}

extension TrackingFileError: CustomStringConvertible {
    /// A sentence about what was found, and one about what to do.
    public var description: String {
        "The file for tracking events cannot be opened: \(SystemCall.message(errorNumber)) (error \(errorNumber)). "
            + "Check its folder and permissions; it must not be a symbolic link."
    }
}
