import Foundation
import Logging
import TVEModels
import TVETestTraits
import TVETracking
import Testing

struct TrackingSinkTests {
    private static let client = TrackedClient(nil)
    private static let time = Date(timeIntervalSince1970: 1_795_219_200)

    @Test func writesOneLineAnEvent_thatOnlyTheOwnerMayRead() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).ndjson")
        defer { try? FileManager.default.removeItem(at: file) }
        for _ in 0..<2 {
            let sink = try FileTrackingSink(file)
            sink.record(.providerSelected(mvpdID: "a\"b\n/c"), client: Self.client, at: Self.time)
            #expect(sink.lostEvents == 0)
        }
        let line =
            #"{"data":["a\"b\n/c","unknown","None","None"],"event":"mvpdSelection","time":"2026-11-21T00:00:00Z"}"#
            + "\n"
        #expect(try String(contentsOf: file, encoding: .utf8) == line + line)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func closesAFileThatOthersCouldRead() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).ndjson")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data().write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        _ = try FileTrackingSink(file)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func refusesAPlaceItCannotWriteTo() throws {
        let directory = FileManager.default.temporaryDirectory
        #expect(throws: TrackingFileError(errorNumber: EISDIR)) { try FileTrackingSink(directory) }
        #expect(throws: TrackingFileError(errorNumber: ENOENT)) {
            try FileTrackingSink(directory.appendingPathComponent("\(UUID().uuidString)/file"))
        }
        let link = directory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: directory.appendingPathComponent("x"))
        defer { try? FileManager.default.removeItem(at: link) }
        #expect(throws: TrackingFileError(errorNumber: ELOOP)) { try FileTrackingSink(link) }
    }

    /// An event would end the app when the pipe's reader leaves, and without a reader the first call would wait.
    @Test(arguments: [false, true]) func refusesANamedPipe(hasReader: Bool) throws {
        let pipe = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        unsafe #expect(mkfifo(pipe.path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(at: pipe) }
        let reader = unsafe hasReader ? open(pipe.path, O_RDONLY | O_NONBLOCK) : -1
        defer { if hasReader { close(reader) } }
        #expect(throws: TrackingFileError(errorNumber: ENXIO)) { try FileTrackingSink(pipe) }
    }

    @Test(.enabled(if: FullDevice.isThere)) func countsWhatIsLost() throws {
        let sink = try FileTrackingSink(URL(fileURLWithPath: FullDevice.path))
        sink.record(.authentication(nil), client: Self.client, at: Self.time)
        #expect(sink.lostEvents == 1)
    }

    /// A signal can interrupt a write before it has written anything, for example on a network file system.
    @Test func writesAnEvent_afterASignalHasInterruptedTheCall() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).ndjson")
        defer { try? FileManager.default.removeItem(at: file) }
        let errors = Guarded([EINTR, EINTR, 0, EIO])
        let sink = try FileTrackingSink(file) { descriptor, bytes in
            let number = errors.withLock { $0.removeFirst() }
            guard number != 0 else { return unsafe write(descriptor, bytes, bytes.count) }
            errno = number
            return -1
        }
        sink.record(.authentication(nil), client: Self.client, at: Self.time)
        #expect(sink.lostEvents == 0)
        sink.record(.authentication(nil), client: Self.client, at: Self.time)
        #expect(sink.lostEvents == 1 && errors.withLock(\.isEmpty))
        #expect(try String(contentsOf: file, encoding: .utf8).split(separator: "\n").count == 1)
    }

    /// A disk that is full in the middle of a line, and has room again later.
    @Test func beginsANewLine_afterOneThatWasCut() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).ndjson")
        defer { try? FileManager.default.removeItem(at: file) }
        let room = Guarded([7, -1])
        let sink = try FileTrackingSink(file) { descriptor, bytes in
            let count = room.withLock { $0.isEmpty ? bytes.count : $0.removeFirst() }
            if count < 0 { errno = ENOSPC }
            return count < 0 ? count : unsafe write(descriptor, bytes, count)
        }
        for _ in 0..<4 { sink.record(.authentication(nil), client: Self.client, at: Self.time) }
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(sink.lostEvents == 2 && lines.map(\.utf8.count).first == 7)
        #expect(lines.count == 3 && lines[1] == lines[2] && lines[1].hasPrefix("{\"data\":") && lines[1].hasSuffix("}"))
    }

    /// A process that was ended in the middle of a line cannot complete it.
    @Test func beginsANewLine_afterOneThatAnEarlierProcessHasCut() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).ndjson")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(#"{"data":["#.utf8).write(to: file)
        for _ in 0..<2 {
            let sink = try FileTrackingSink(file)
            for _ in 0..<2 { sink.record(.authentication(nil), client: Self.client, at: Self.time) }
        }
        let text = try String(contentsOf: file, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 6 && lines.first == #"{"data":["# && lines.last == "")
        #expect(Set(lines[1...4]).count == 1 && lines[1].hasPrefix(#"{"data":["#) && lines[1].hasSuffix("}"))
    }

    /// A rotation of logs renames the file, and something else may remove it.
    @Test func goesOnInANewFile_onceTheOldOneIsNotThereAnyMore() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).ndjson")
        let old = file.appendingPathExtension("1")
        defer { for url in [file, old] { try? FileManager.default.removeItem(at: url) } }
        let sink = try FileTrackingSink(file)
        sink.record(.providerSelected(mvpdID: "first"), client: Self.client, at: Self.time)
        try FileManager.default.moveItem(at: file, to: old)
        sink.record(.providerSelected(mvpdID: "second"), client: Self.client, at: Self.time)
        #expect(try String(contentsOf: old, encoding: .utf8).contains("first"))
        let second = try String(contentsOf: file, encoding: .utf8)
        #expect(second.contains("second") && !second.contains("first"))
        try FileManager.default.removeItem(at: file)
        for provider: MVPDID in ["third", "fourth"] {
            sink.record(.providerSelected(mvpdID: provider), client: Self.client, at: Self.time)
        }
        let last = try String(contentsOf: file, encoding: .utf8)
        #expect(last.contains("third") && last.contains("fourth") && !last.contains("second"))
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
        #expect(sink.lostEvents == 0)
    }

    @Test func countsAnEventAsLost_whileALinkIsInThePlaceOfItsFile() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).ndjson")
        let other = file.appendingPathExtension("1")
        defer { for url in [file, other] { try? FileManager.default.removeItem(at: url) } }
        let sink = try FileTrackingSink(file)
        try FileManager.default.removeItem(at: file)
        try Data().write(to: other)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: other)
        sink.record(.authentication(nil), client: Self.client, at: Self.time)
        #expect(sink.lostEvents == 1)
        #expect(try Data(contentsOf: other).isEmpty)
        try FileManager.default.removeItem(at: file)
        sink.record(.authentication(nil), client: Self.client, at: Self.time)
        #expect(sink.lostEvents == 1)
        #expect(try !Data(contentsOf: file).isEmpty)
    }

    /// The process may have given up the right to create a file, or may have no file descriptor left.
    @Test func goesOnInTheOldFile_whileNoNewOneCanBeOpened() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).ndjson")
        let old = file.appendingPathExtension("1")
        defer { for url in [file, old] { try? FileManager.default.removeItem(at: url) } }
        let sink = try FileTrackingSink(file)
        try FileManager.default.moveItem(at: file, to: old)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        sink.record(.authentication(nil), client: Self.client, at: Self.time)
        #expect(sink.lostEvents == 0)
        #expect(try !Data(contentsOf: old).isEmpty)
    }

    @Test func logs_withTheArrayAsMetadata() {
        let handler = MemoryLog()
        let logger = Logger(label: "test") { _ in handler }
        LogTrackingSink(logger).record(.authentication(nil), client: Self.client, at: Self.time)
        #expect(
            handler.lines.withLock(\.self) == [
                "info authenticationDetection [\"data\": [\"false\"" + String(repeating: ", \"None\"", count: 3)
                    + ", \"unknown\", \"None\", \"None\"]]"
            ])
    }
}

/// Stores what is logged.
private struct MemoryLog: LogHandler {
    let lines = Guarded<[String]>([])
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let metadata = event.metadata.map { "\($0)" } ?? ""
        lines.withLock { $0.append("\(event.level) \(event.message) \(metadata)") }
    }
}
