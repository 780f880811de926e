import FlyingFox
import FlyingSocks
import Foundation
import TVEModels

/// One connection, which reads requests within limits and answers them one after the other.
struct ServerConnection {
    let socket: AsyncSocket
    let routes: SandboxRoutes
    let watch: ConnectionWatch
    /// Waits for a duration or until the task is cancelled.
    let sleep: @Sendable (Duration) async throws -> Void
    private let peer: String
    private let isFromThisMachine: Bool
    private var buffer: [UInt8] = []

    init(
        _ socket: AsyncSocket, routes: SandboxRoutes, watch: ConnectionWatch,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.socket = socket
        self.routes = routes
        self.watch = watch
        self.sleep = sleep
        let there = (try? socket.socket.remotePeer()).flatMap(Self.address)
        let here = (try? socket.socket.sockname()).flatMap(Self.address)
        peer = there ?? "unknown"
        isFromThisMachine = there != nil && (there == here || there?.hasBytePrefix("127.") == true)
    }

    /// Answers requests until the client closes the connection or sends an invalid request.
    mutating func run() async {
        do {
            while try await answerNext() {}
        } catch is TLSHello {
            routes.log.note(
                "A client at \(peer) began a TLS connection. The sandbox speaks HTTP: its address begins with http://.")
            try? await write(TLSHello.refusal)
        } catch let failure as RequestHeadParser.Failure {
            // The end of this request is unknown, so no other request can follow it.
            let answer = AnswerBytes(.status(failure.status), body: Data(), closes: true)
            try? await write(answer.whole)
        } catch {
            // The client has closed the connection or taken too long, or the sandbox stops.
        }
        watch.end(file)
        // A program that is just being started may have a copy of the socket, and the client would go on waiting.
        shutdown(file, Int32(SHUT_RDWR))
        try? socket.close()
    }

    private var file: Int32 { socket.socket.file.rawValue }

    /// Reads a request and answers it.
    ///
    /// - Returns: a Boolean value that indicates whether another request may follow.
    private mutating func answerNext() async throws -> Bool {
        guard let head = try await readHead() else { return false }
        let (body, isWhole) = try await readBody(head)
        watch.end(file)
        let closes = !isWhole || head.closes
        let reply = await routes.answer(head, body)
        // An answer that is not sent to its end is lost: because the client has gone, or because the sandbox stops.
        var wasAbandoned = true
        // The exchange ends in the log even when the client has gone.
        defer { routes.log.sent(reply.ticket, wasAbandoned: wasAbandoned) }
        guard try await waits(milliseconds: reply.delay) else { return false }
        let hasGone = hasClientGone()
        let mayFollow = try await send(reply, to: head, closes: closes)
        wasAbandoned = hasGone
        return mayFollow
    }

    /// Delays an answer for as long as the client waits for it.
    ///
    /// The log shows at once that a client has gone, because the client may go on at once as well.
    ///
    /// - Returns: a Boolean value that indicates whether the client has waited.
    private mutating func waits(milliseconds: Int) async throws -> Bool {
        let slice = 100
        for begin in stride(from: 0, to: milliseconds, by: slice) {
            try await sleep(.milliseconds(min(slice, milliseconds - begin)))
            if hasClientGone() { return false }
        }
        return true
    }

    /// Returns a Boolean value that indicates whether the client has closed its side of the connection in place of
    /// waiting.
    ///
    /// A client that has sent its next request already has not.
    private mutating func hasClientGone() -> Bool {
        guard buffer.isEmpty else { return false }
        do {
            buffer = try socket.socket.read(atMost: 4_096)
            return false
        } catch SocketError.blocked {
            return false
        } catch {
            return true
        }
    }

    // MARK: - Reading

    /// Reads the head of a request; returns `nil` when the client closes before it has sent anything.
    private mutating func readHead() async throws -> RequestHead? {
        var parser = RequestHeadParser()
        while true {
            // The random bytes of a TLS connection can look like the end of a head, so this question comes first.
            guard !TLSHello.begins(buffer) else { throw TLSHello() }
            if let end = try parser.end(in: buffer) {
                let head = try parser.head(of: buffer, peer: peer, isFromThisMachine: isFromThisMachine)
                buffer.removeFirst(end)
                return head
            }
            // Once a request has begun, its rest has a time limit.
            if !buffer.isEmpty { watch.begin(file) }
            do {
                buffer += try await socket.read(atMost: 4_096)
            } catch SocketError.disconnected where buffer.isEmpty {
                return nil
            }
        }
    }

    /// Reads the body of a request, and returns it with a Boolean value that indicates whether it was read to its end.
    private mutating func readBody(_ head: RequestHead) async throws -> (RequestBody, isWhole: Bool) {
        let stated = head.header("Content-Length")
        if let coding = head.header("Transfer-Encoding") {
            // Two lengths are ambiguous (RFC 9112, 6.3).
            guard stated == nil else { throw RequestHeadParser.Failure(status: 400) }
            guard head.isOfHTTP11, coding.isSameBytesIgnoringASCIICase(as: "chunked") else {
                return (.ofUnknownLength, false)
            }
            try await beginBody(of: head)
            return try await readChunks()
        }
        guard let text = stated else { return (.bytes(Data()), true) }
        guard let length = Int(text), length >= 0, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw RequestHeadParser.Failure(status: 400)
        }
        guard length > 0 else { return (.bytes(Data()), true) }
        try await beginBody(of: head)
        guard length <= RequestBody.maximumBytes else {
            guard length <= RequestBody.maximumBytesToDiscard else { return (.tooLong(length: length), false) }
            try await discard(length)
            return (.tooLong(length: length), true)
        }
        return (.bytes(Data(try await read(length))), true)
    }

    /// Begins the time limit of a body, and lets a client send it that waits for an interim answer.
    private func beginBody(of head: RequestHead) async throws {
        // The expectation of a client of HTTP/1.0 must be ignored (RFC 9110, 10.1.1).
        if head.isOfHTTP11, head.header("Expect")?.lowercased() == "100-continue" {
            try await write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
        // The interim answer has ended the time limit, as every answer does.
        watch.begin(file)
    }

    /// Reads a body in chunks (RFC 9112, 7.1), and drops the fields after it.
    private mutating func readChunks() async throws -> (RequestBody, isWhole: Bool) {
        var body = Data()
        var length = 0
        // All lines together may be as long as a head.
        var left = RequestHeadParser.maximumBytes
        while true {
            let size = try Self.chunkSize(await readLine(&left))
            guard size > 0 else { break }
            guard size <= RequestBody.maximumBytesToDiscard - length else {
                return (.tooLong(length: length + min(size, Int.max - length)), false)
            }
            length += size
            if length <= RequestBody.maximumBytes { body += try await read(size) } else { try await discard(size) }
            guard try await readLine(&left).isEmpty else { throw RequestHeadParser.Failure(status: 400) }
        }
        while try await !readLine(&left).isEmpty {}
        return (length <= RequestBody.maximumBytes ? .bytes(body) : .tooLong(length: length), true)
    }

    /// Returns the size in the first line of a chunk, whose extensions are ignored.
    private static func chunkSize(_ line: [UInt8]) throws(RequestHeadParser.Failure) -> Int {
        let text = String(decoding: line.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
            .trimmingCharacters(in: .whitespaces)
        // `Int` would take a sign.
        guard text.utf8.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
            let size = Int(text, radix: 16)
        else { throw RequestHeadParser.Failure(status: 400) }
        return size
    }

    /// Reads a line between chunks, without its end.
    ///
    /// - Parameter left: the number of bytes that this line and those after it may have.
    private mutating func readLine(_ left: inout Int) async throws -> [UInt8] {
        var scanned = 0
        while true {
            let start = scanned
            let found = buffer.withSpan { bytes in bytes.firstIndex(of: 0x0A, from: start) }
            scanned = found ?? buffer.count
            guard scanned < left else { throw RequestHeadParser.Failure(status: 431) }
            guard let newline = found else {
                buffer += try await socket.read(atMost: 4_096)
                continue
            }
            left -= newline + 1
            let end = newline > 0 && buffer[newline - 1] == 0x0D ? newline - 1 : newline
            let line = Array(buffer[..<end])
            buffer.removeFirst(newline + 1)
            return line
        }
    }

    /// Reads bytes of a body.
    private mutating func read(_ count: Int) async throws -> [UInt8] {
        while buffer.count < count { buffer += try await socket.read(atMost: min(count - buffer.count, 4_096)) }
        let bytes = Array(buffer[..<count])
        buffer.removeFirst(count)
        return bytes
    }

    /// Reads bytes of a body that is too long.
    ///
    /// A client reads the answer only after it has sent its request.
    private mutating func discard(_ count: Int) async throws {
        var left = count - min(count, buffer.count)
        buffer.removeFirst(min(count, buffer.count))
        while left > 0 { left -= try await socket.read(atMost: min(left, 4_096)).count }
    }

    // MARK: - Writing

    private func send(_ reply: SandboxReply, to head: RequestHead, closes: Bool) async throws -> Bool {
        let answer = AnswerBytes(
            reply.response, body: head.method == "HEAD" ? nil : reply.body, length: reply.body.count,
            closes: closes || reply.delivery.closes)
        switch reply.delivery {
        case .whole:
            try await write(answer.whole)
            return !closes
        case .dropped:
            return false
        case .cut:
            try await write(answer.head + reply.body.prefix(reply.body.count / 2))
            return false
        case .slow(let milliseconds):
            try await write(answer.head)
            let pieces = 20
            for piece in 0..<pieces {
                try await sleep(.milliseconds(milliseconds / pieces))
                let range = reply.body.count * piece / pieces..<reply.body.count * (piece + 1) / pieces
                try await write(reply.body[range])
            }
            return !closes
        case .pieces(let begin):
            return try await send(reply.response, begin, to: head, closes: closes)
        case .stream(let begin):
            try await write(AnswerBytes(reply.response, body: nil, length: nil, closes: true).head)
            for await bytes in begin() { try await write(bytes) }
            return false
        }
    }

    /// Sends an answer whose body has an unknown length.
    ///
    /// The body is sent in chunks (RFC 9112, 7.1), so that the client notices when its end is missing.
    private func send(
        _ response: HTTPResponse, _ begin: @Sendable () -> AsyncStream<Data>, to head: RequestHead, closes: Bool
    ) async throws -> Bool {
        var response = response
        // Without chunks, only the end of the connection marks the end of the body.
        let closes = closes || !head.isOfHTTP11
        if head.isOfHTTP11 { response.headers[.transferEncoding] = "chunked" }
        try await write(AnswerBytes(response, body: nil, length: nil, closes: closes).head)
        guard head.method != "HEAD" else { return !closes }
        // An empty chunk would mark the end of the body.
        for await piece in begin() where !piece.isEmpty {
            let size = String(piece.count, radix: 16)
            try await write(head.isOfHTTP11 ? Data("\(size)\r\n".utf8) + piece + Data("\r\n".utf8) : piece)
        }
        if head.isOfHTTP11 { try await write(Data("0\r\n\r\n".utf8)) }
        return !closes
    }

    /// Writes bytes, and closes the connection of a client that reads nothing for a long time.
    private func write(_ bytes: Data) async throws {
        watch.begin(file)
        try await socket.write(bytes)
        watch.end(file)
    }

    private static func address(_ address: Socket.Address) -> String? {
        switch address {
        case .ip4(let text, _), .ip6(let text, _): text
        case .unix: nil
        }
    }
}

/// The beginning of a TLS connection where a request should be.
///
/// Without an answer the client would wait for as long as the sandbox waits for the rest of a request.
private struct TLSHello: Error {
    /// Returns a Boolean value that indicates whether bytes begin a handshake record of any version (RFC 8446, 5.1).
    static func begins(_ bytes: [UInt8]) -> Bool { bytes.count >= 2 && bytes[0] == 22 && bytes[1] == 3 }

    /// The fatal alert `protocol_version` (RFC 8446, 6.2).
    static let refusal = Data([21, 3, 1, 0, 2, 2, 70])
}
