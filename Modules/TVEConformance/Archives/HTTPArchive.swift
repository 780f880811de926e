public import Foundation
import TVEModels

/// A recording in the HTTP Archive format (HAR 1.2), which browsers and proxies write.
///
/// Entries that cannot be judged, or only without a body, are listed with the reason. Entries are read one at a time,
/// and the bodies of services other than the judged one are dropped.
public struct HTTPArchive: Sendable {
    /// The exchanges in the order of the file, identified by the numbers of their entries, starting at 1.
    public let exchanges: [Exchange]
    /// The entries that are not judged, in the order of the file.
    public let leftOut: [Omission]
    /// The entries that are judged without a body, which is missing or cannot be read, in the order of the file.
    public let incomplete: [Omission]
    /// The number of entries that are not judged although their paths are documented ones of REST API v2.
    package let leftOutCallCount: Int

    /// An entry of a recording, or the body of one, that is not judged.
    public struct Omission: Sendable, Hashable, CustomStringConvertible {
        /// The number of the entry, starting at 1.
        public let entry: Int
        /// The reason for the omission, as the end of a sentence: `it is no request over HTTP`.
        public let reason: String

        /// The number and the reason.
        public var description: String { "Entry \(entry): \(reason)." }
    }

    /// The maximum number of entries in a recording.
    static let maximumCount = 500_000
    /// The maximum length of an entry, in bytes.
    ///
    /// No response of the service is as long.
    static let maximumEntry = 16 << 20

    /// Reads a recording.
    ///
    /// - Parameter bytes: the contents of the file.
    /// - Throws: ``HTTPArchiveError``. A truncated recording is rejected as a whole, because a report about a part
    ///   would state that the client follows rows that the rest may break.
    public init(_ bytes: Data) throws(HTTPArchiveError) {
        guard !bytes.isEmpty else { throw .empty }
        if Self.compressedBeginnings.contains(where: { bytes.starts(with: $0) }) { throw .compressed }
        if Self.beginningsInUTF16.contains(where: { bytes.starts(with: $0) }) { throw .utf16 }
        // Recordings contain call stacks of any depth and any data that a page has sent.
        let limits = UntrustedJSON.Limits(bytes: .max, depth: .max, nameBytes: 4_096, isForgiving: true)
        guard let start = try? JSONCursor(Array(bytes), limits) else { throw .notAnArchive }
        var reader = Reader()
        var json = start
        do throws(UntrustedJSONError) {
            try reader.read(&json)
        } catch {
            throw Self.isCut(start) ? .cut : .notAnArchive
        }
        // Whatever follows the recording, for example a second one, would not be judged.
        guard reader.hasEntries, json.isAtEnd() else { throw .notAnArchive }
        guard reader.count <= Self.maximumCount else { throw .tooManyEntries(Self.maximumCount) }
        reader.dropOtherServices()
        reader.leaveOutCopies()
        reader.leaveOutRequestsWithoutTimes()
        exchanges = reader.exchanges
        leftOut = reader.leftOut
        incomplete = reader.incomplete
        leftOutCallCount = reader.leftOutCallCount
    }

    /// The first bytes of gzip, zip, zstd, bzip2 and xz.
    private static let compressedBeginnings: [[UInt8]] = [
        [0x1F, 0x8B], [0x50, 0x4B], [0x28, 0xB5, 0x2F, 0xFD], [0x42, 0x5A, 0x68], [0xFD, 0x37, 0x7A, 0x58, 0x5A],
    ]
    /// The byte order marks of UTF-16, and an opening bracket without one.
    private static let beginningsInUTF16: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF], [0x7B, 0], [0, 0x7B]]

    /// Returns a Boolean value that indicates whether an object ends before its last bracket.
    private static func isCut(_ start: JSONCursor) -> Bool {
        var json = start
        return json.isAtObject() && (try? json.passLoosely()) == nil
    }
}

/// A reader of the list `log.entries`.
private struct Reader {
    var exchanges: [Exchange] = []
    var leftOut: [HTTPArchive.Omission] = []
    var incomplete: [HTTPArchive.Omission] = []
    var leftOutCallCount = 0
    var hasEntries = false
    var count = 0
    var isOfFirefox = false
    /// The places of the exchanges whose paths the judged service has.
    private var candidates: [Int] = []

    private enum Field: String, CaseIterable { case log, creator, name, entries }

    private static let names = JSONNames<Field>()

    mutating func read(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
            guard field == .log else { return }
            _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
                if field == .creator { isOfFirefox = Self.isFirefox(json) }
                guard field == .entries else { return }
                hasEntries = try json.list { (json) throws(UntrustedJSONError) in try readEntry(&json) }
            }
        }
    }

    /// Returns a Boolean value that indicates whether a program that made a recording is Firefox.
    private static func isFirefox(_ start: JSONCursor) -> Bool {
        var json = start
        var name: String?
        _ = try? json.object(names) { (field, json) throws(UntrustedJSONError) in
            if field == .name { name = try json.text() }
        }
        return name?.isSameBytes(as: "Firefox") == true
    }

    private mutating func readEntry(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        count += 1
        // The cursor moves past the entry, whatever it contains.
        let start = json
        try json.passLoosely()
        guard count <= HTTPArchive.maximumCount else { return }
        guard json.passed - start.passed <= HTTPArchive.maximumEntry else { return leaveOut("it is longer than 16 MB") }
        var entry = start
        guard let read = try? ArchiveEntry(&entry), entry.passed == json.passed else {
            return leaveOut("it cannot be read")
        }
        take(read)
    }

    private mutating func leaveOut(_ reason: String, _ endpoint: DocumentedEndpoint? = nil) {
        if endpoint?.isOfHousehold == false { leftOutCallCount += 1 }
        leftOut.append(HTTPArchive.Omission(entry: count, reason: reason))
    }

    private mutating func take(_ entry: ArchiveEntry) {
        guard let request = entry.request else { return leaveOut("it has no request") }
        // Excluded are a tunnel through a proxy and URLs that never leave the browser: `data:`, `blob:` and the page's
        // own files.
        let (place, ownQuery) = request.url.divided(at: "#").before.divided(at: "?")
        let parts = place.parts(separatedBy: "/", most: 3)
        guard request.method != "CONNECT", parts.count >= 3, parts[1].isEmpty, !parts[2].isEmpty,
            ["http:", "https:"].contains(parts[0].lowercased())
        else { return leaveOut("it is not a request over HTTP") }
        let path = parts.count > 3 ? "/\(parts[3])" : "/"
        // The judge reads the decoded segments too, so `//api/v2` is the same path.
        let segments = Call.segments(path)
        let endpoint = DocumentedEndpoint.of(request.method, segments)
        guard !entry.isFromBrowser, !(isOfFirefox && entry.hasCacheAfterRequest) else {
            return leaveOut("the browser answered it from its own store, and sent nothing", endpoint)
        }
        guard let response = entry.response else { return leaveOut("it has no answer", endpoint) }
        guard !entry.isUnsent else { return leaveOut("it was not sent", endpoint) }
        // The client repeats such a request with the proxy's password, and the service receives the second one alone.
        guard response.status != 407 else { return leaveOut("a proxy that requires a login answered it", endpoint) }
        guard let began = entry.began else { return leaveOut(entry.faultOfTime, endpoint) }
        let mayBeTheirs = RecordedServices.mayContain(segments, endpoint)
        // The body of a login page is not judged, and a failed request may have no body.
        let isRead = endpoint != nil && endpoint != .authenticate && (200...299).contains(response.status)
        let gap = isRead && (request.bytes == nil || response.bytes == nil) ? "a body is missing" : nil
        if mayBeTheirs, let reason = request.body?.fault ?? response.content?.fault ?? gap {
            incomplete.append(HTTPArchive.Omission(entry: count, reason: reason))
        }
        var responseHeaders = Self.fields(response.headers)
        // The recorder's own field precedes the header, whose value may be masked.
        if let redirect = response.redirectURL, !redirect.isEmpty {
            responseHeaders.insert(("location", redirect), at: 0)
        }
        var requestHeaders = Self.fields(request.headers)
        // The host in the URL precedes the `Host` header for the same reason.
        requestHeaders.insert(("host", String(parts[2])), at: 0)
        let exchange = Exchange(
            id: count, began: began, milliseconds: entry.milliseconds, method: request.method, path: path,
            query: ownQuery.map { String($0) } ?? request.queryBesideURL,
            request: .init(headers: requestHeaders, body: mayBeTheirs ? request.bytes : Data()),
            status: Int(bounded: response.status),
            answer: .init(headers: responseHeaders, body: mayBeTheirs ? response.bytes : Data()))
        if mayBeTheirs { candidates.append(exchanges.count) }
        exchanges.append(mayBeTheirs ? exchange : exchange.ofAnotherService)
    }

    /// Drops what the judgement does not need of the candidates that go to other services, as only the whole recording
    /// shows.
    mutating func dropOtherServices() {
        let services = RecordedServices(exchanges)
        var others: Set<Int> = []
        for place in candidates where !services.contain(exchanges[place]) {
            others.insert(exchanges[place].id)
            exchanges[place] = exchanges[place].ofAnotherService
        }
        incomplete.removeAll { others.contains($0.entry) }
        candidates.removeAll { others.contains(exchanges[$0].id) }
    }

    /// Leaves out the judged exchanges that merged recordings have twice, and the reports of playback.
    mutating func leaveOutCopies() {
        let reports = exchanges.filter { Play.resource($0.method, Call.segments($0.path)) != nil }
        leaveOut(RecordedTwice.copies(in: candidates.map { exchanges[$0] } + reports), because: "it is recorded twice")
    }

    /// Leaves out the judged exchanges if all have the same time, or if no call of a client has a time of its own.
    ///
    /// Such a time is that of an export, or none at all, and a client would fail rows about pauses for it. There are
    /// several of them if exports were merged. A page with another time comes from the browser's own recorder.
    mutating func leaveOutRequestsWithoutTimes() {
        let judged = candidates.map { exchanges[$0] }
        let endpoints = judged.map { DocumentedEndpoint.of($0.method, Call.segments($0.path)) }
        var counts: [Date: Int] = [:]
        for (exchange, endpoint) in zip(judged, endpoints) where endpoint != nil && endpoint != .authenticate {
            counts[exchange.began, default: 0] += 1
        }
        let haveOneTime = judged.count > 2 && Set(judged.map(\.began)).count == 1
        // A client can send two or three requests in the same millisecond, but not all of its requests.
        guard haveOneTime || !counts.isEmpty && counts.values.allSatisfy({ $0 > 2 }) else { return }
        leftOutCallCount += endpoints.count { $0?.isOfHousehold == false }
        leaveOut(Set(judged.map(\.id)), because: "the requests of the recording have no times of their own")
    }

    /// Leaves out judged exchanges, after all entries were read.
    private mutating func leaveOut(_ ids: Set<Int>, because reason: String) {
        guard !ids.isEmpty else { return }
        let left = Set(candidates.map { exchanges[$0].id }).subtracting(ids)
        exchanges.removeAll { ids.contains($0.id) }
        candidates = exchanges.indices.filter { left.contains(exchanges[$0].id) }
        incomplete.removeAll { ids.contains($0.entry) }
        leftOut += ids.map { HTTPArchive.Omission(entry: $0, reason: reason) }
        leftOut.sort { $0.entry < $1.entry }
    }

    /// Returns the headers.
    ///
    /// A header whose value the recording lacks is treated as masked.
    private static func fields(_ headers: [ArchiveEntry.Header]) -> [(name: String, value: String)] {
        headers.map { ($0.name, $0.value ?? "•") }
    }
}

extension Exchange {
    /// The exchange with what the judgement needs of another service.
    fileprivate var ofAnotherService: Exchange {
        func message(_ message: Message, keeping names: Set<String>) -> Message {
            let kept = message.headers.filter { names.contains($0.key) }
            return Message(headers: kept.map { (name: $0.key, value: $0.value) }, body: Data())
        }
        return Exchange(
            id: id, began: began, milliseconds: milliseconds, method: method, path: path, query: query,
            address: address, request: message(request, keeping: ["host", "user-agent", "ap-device-identifier"]),
            status: status, answer: message(answer, keeping: ["location"]))
    }
}
