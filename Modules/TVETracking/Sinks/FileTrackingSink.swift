public import Foundation
import TVEModels

/// A sink that appends every event to a file, one JSON object per line with the members `time`, `event` and `data`.
///
/// Each line is written with a single call, so that several processes may share a file. Once the file was renamed or
/// removed, as a rotation of logs does, the next event goes into a new file in its place. If an event cannot be
/// written, it is dropped and counted in ``lostEvents``, because tracking must not interrupt a viewer.
public final class FileTrackingSink: TrackingSink {
    private struct State {
        var file: LineFile
        var lost = 0
        /// A Boolean value that indicates whether the last line may be incomplete, because this process or an earlier
        /// one could not write it to its end.
        var mayBeCut = true
    }

    /// A function that writes bytes and returns the number of bytes written, or a negative number on failure with the
    /// reason in `errno`.
    package typealias Write = @Sendable (CInt, [UInt8]) -> Int

    private let path: String
    private let state: Guarded<State>
    private let write: Write

    /// Opens a file that only its owner may read, and creates it if it does not exist.
    ///
    /// - Parameter url: the location of the file. A symbolic link and a named pipe are refused.
    /// - Throws: ``TrackingFileError`` with the system's error number.
    public convenience init(_ url: URL) throws(TrackingFileError) {
        try self.init(url) { descriptor, bytes in bytes.withSpan { SystemCall.write($0, to: descriptor) } }
    }

    /// Opens a file that is written with the given function.
    package init(_ url: URL, write: @escaping Write) throws(TrackingFileError) {
        path = url.path
        state = Guarded(State(file: try LineFile(url.path)))
        self.write = write
    }

    deinit {
        state.withLock { $0.file.close() }
    }

    /// The number of events that could not be written.
    public var lostEvents: Int { state.withLock(\.lost) }

    /// Appends an event as one line; see ``TrackingSink``.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - client: the service's description of this client.
    ///   - time: the time of the event.
    public func record(_ event: TrackingEvent, client: TrackedClient, at time: Date) {
        let text = TrackingLine(event, client: client, at: time).text
        state.withLock { state in
            if !state.file.isAt(path) {
                if let file = try? LineFile(path) {
                    state.file.close()
                    state.file = file
                    state.mayBeCut = true
                } else if !state.file.hasName {
                    state.lost += 1
                    return
                }
            }
            let isCut = state.mayBeCut && state.file.endsInALine(at: path)
            let line = Array("\(isCut ? "\n" : "")\(text)\n".utf8)
            var written = write(state.file.descriptor, line)
            // A signal has interrupted the call before it wrote anything.
            while written < 0, errno == EINTR { written = write(state.file.descriptor, line) }
            if written != line.count { state.lost += 1 }
            if written > 0 { state.mayBeCut = written != line.count }
        }
    }
}

/// A file that was opened to append lines.
private struct LineFile {
    let descriptor: CInt
    /// The status of a regular file when it was opened, or nil for anything else, which no rotation renames.
    private let status: stat?

    /// Opens a file that only its owner may read, and creates it if it does not exist.
    init(_ path: String) throws(TrackingFileError) {
        // Without `O_NONBLOCK`, a named pipe without a reader would block the thread.
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        descriptor = SystemCall.open(path, flags, mode: 0o600)
        guard descriptor >= 0 else { throw TrackingFileError(errorNumber: errno) }
        let opened = SystemCall.status(of: descriptor)
        let kind = opened.map { $0.st_mode & S_IFMT }
        status = kind == S_IFREG ? opened : nil
        // Once the reader of a pipe has left, an event would end the app with SIGPIPE.
        guard kind != S_IFIFO else {
            close()
            throw TrackingFileError(errorNumber: ENXIO)
        }
        // An existing file may have been created with other permissions.
        guard kind != S_IFREG || fchmod(descriptor, 0o600) == 0 else {
            let error = errno
            close()
            throw TrackingFileError(errorNumber: error)
        }
    }

    func close() { _ = Foundation.close(descriptor) }

    /// A Boolean value that indicates whether the file still has a name, under which its events can be found.
    var hasName: Bool { (SystemCall.status(of: descriptor)?.st_nlink ?? 0) > 0 }

    /// Returns a Boolean value that indicates whether the file at a path ends in the middle of a line.
    ///
    /// The value is false for anything but a regular file, and true if the end of the file cannot be read: an empty
    /// line loses nothing, unlike a line that is appended to a cut one.
    func endsInALine(at path: String) -> Bool {
        guard let status, SystemCall.status(of: self.descriptor)?.st_size != 0 else { return false }
        let descriptor = SystemCall.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return true }
        let reader = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard let seen = SystemCall.status(of: descriptor), seen.st_ino == status.st_ino, seen.st_dev == status.st_dev,
            let end = try? reader.seekToEnd(), end > 0, (try? reader.seek(toOffset: end - 1)) != nil,
            let last = try? reader.read(upToCount: 1)?.first
        else { return true }
        return last != UInt8(ascii: "\n")
    }

    /// Returns a Boolean value that indicates whether the file is still at a path.
    ///
    /// A path that may not be looked at any more, as after a process has given up rights, is no sign of a rotation.
    func isAt(_ path: String) -> Bool {
        guard let status else { return true }
        guard let present = SystemCall.status(of: path, followsLinks: false) else { return errno != ENOENT }
        return present.st_ino == status.st_ino && present.st_dev == status.st_dev
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

    /// The line without its line break.
    ///
    /// Keys are sorted, so that equal events produce equal lines.
    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // The object contains only strings, so encoding cannot fail.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

/// An error that prevented opening a file for tracking events.
public struct TrackingFileError: Error, Sendable, Hashable {
    /// The system's error number.
    public let errorNumber: Int32

    /// Creates an error.
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
            + "Check its folder and permissions; it must not be a symbolic link or a named pipe."
    }
}
