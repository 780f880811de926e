import CTVEHiredis
import CTVEOpenSSL
import Foundation
@_spi(VerificationService) import TVEModels

/// A connection to a Redis server, which one thread uses at a time and whose every wait has a deadline.
///
/// hiredis connects and parses answers. This class transfers the bytes itself, because the hiredis of Debian 12 has no
/// TLS, and because its time-outs limit a single `read` instead of a whole answer.
///
/// The class is `@unchecked Sendable`, because the thread that opened a connection passes it on and does not use it
/// again. It is `@safe`, because the pointers come from the two libraries in `init`, are freed only in `deinit` and
/// never leave this class, and every call passes memory with its length.
@safe final class RedisSocket: @unchecked Sendable {
    private let context: UnsafeMutablePointer<redisContext>
    private let reader: UnsafeMutablePointer<redisReader>
    private var session: OpaquePointer?
    private var hasAnswered = false
    private var buffer = [UInt8](repeating: 0, count: 16 << 10)
    /// The maximum number of bytes in the answers to one batch; real answers are far shorter.
    private static let answerLimit = 4 << 20

    /// Connects to a server, with TLS if it is configured.
    ///
    /// - Parameters:
    ///   - address: the address of the server, whose host is the name that its certificate must contain.
    ///   - place: the same address with a number in place of a name, because hiredis looks names up without a time
    ///     limit; see ``RedisNames``.
    ///   - tls: the encryption; `nil` for none.
    ///   - files: the reader of the files that `tls` names.
    ///   - deadline: the time by which the connection must be open.
    /// - Throws: `.unreachable`, `.timedOut`, `.tls`, `.disconnected`, or `.overloaded` without memory for a
    ///   connection.
    init(
        _ address: RedisAddress, at place: RedisAddress, tls: RedisTLS?, files: RedisTLSFiles,
        until deadline: RedisDeadline
    ) throws(RedisUsesError) {
        let context: UnsafeMutablePointer<redisContext>?
        switch place {
        case .host(let number, let port): unsafe context = redisConnectNonBlock(number, Int32(port))
        case .socket(let path): unsafe context = redisConnectUnixNonBlock(path)
        }
        guard let context = unsafe context else { throw .overloaded }
        guard let reader = unsafe redisReaderCreate() else {
            unsafe redisFree(context)
            throw .overloaded
        }
        unsafe self.context = context
        unsafe self.reader = reader
        guard unsafe context.pointee.err == 0 else { throw unsafe .unreachable(Self.reason(context)) }
        // A program that is started while this waits would otherwise keep the connection open.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        try waitFor(POLLOUT, until: deadline)
        var failure: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size) == 0, failure == 0 else {
            throw .unreachable(ServiceSupport.message(failure == 0 ? errno : failure))
        }
        #if canImport(Darwin)
        // Not every Darwin has `MSG_NOSIGNAL`. Blocking the signal on this thread would not be enough, because it is
        // sent to the whole process.
        var isSilent: Int32 = 1
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isSilent, socklen_t(MemoryLayout<Int32>.size))
        #endif
        if case .host = address {
            var on: Int32 = 1
            let size = socklen_t(MemoryLayout<Int32>.size)
            unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, size)
        }
        guard let tls else { return }
        let host = if case .host(let given, _) = address { given } else { "localhost" }
        let name = tls.serverName ?? host
        let session = try unsafe files.context(tls).session(over: descriptor, name: name)
        unsafe self.session = session
        while true {
            ERR_clear_error()
            let result = unsafe SSL_connect(session)
            if result == 1 { return }
            do throws(RedisUsesError) {
                try unsafe awaitTLS(session, after: result, until: deadline)
            } catch .timedOut {
                // Redis without TLS waits for a line break that the greeting of TLS does not contain.
                throw .tls("the server does not answer its greeting; name its port with TLS, or configure none")
            }
        }
    }

    deinit {
        if let session = unsafe session { unsafe SSL_free(session) }
        unsafe redisReaderFree(reader)
        unsafe redisFree(context)
    }

    var descriptor: Int32 { unsafe Int32(context.pointee.fd) }

    /// Sends encoded commands, waits for their answers and returns these in order.
    ///
    /// - Parameters:
    ///   - commands: the commands; see ``RedisCommand``.
    ///   - count: the number of commands.
    ///   - deadline: the time by which all answers must have arrived.
    /// - Throws: `.timedOut`, `.disconnected`, `.unanswered`, `.unreadableAnswer`, `.httpServer`, `.encryptedServer`,
    ///   `.tls`. After an error the connection cannot be used.
    func exchange(
        _ commands: [UInt8], count: Int, until deadline: RedisDeadline
    ) throws(RedisUsesError) -> [RedisReply] {
        var sent = 0
        while sent < commands.count { sent += try write(commands, from: sent, deadline) }
        var replies: [RedisReply] = []
        replies.reserveCapacity(count)
        var received = 0
        while true {
            while replies.count < count, let reply = try nextReply() { replies.append(reply) }
            guard replies.count < count else { break }
            let length = try readAnswer(deadline)
            received += length
            guard received <= Self.answerLimit else { throw .unreadableAnswer }
            let fed = unsafe buffer.withUnsafeBytes {
                unsafe redisReaderFeed(reader, $0.baseAddress?.assumingMemoryBound(to: CChar.self), length)
            }
            guard fed == REDIS_OK else { throw .unreadableAnswer }
        }
        return replies
    }

    /// Sends one command and returns its answer; see ``exchange(_:count:until:)``.
    func ask(_ words: String..., until deadline: RedisDeadline) throws(RedisUsesError) -> RedisReply {
        var bytes: [UInt8] = []
        RedisCommand.append(words, to: &bytes)
        return try exchange(bytes, count: 1, until: deadline)[0]
    }

    /// Reads once into the buffer and returns the number of bytes.
    ///
    /// The first bytes of a connection reveal an HTTP server, or a server that requires TLS.
    private func readAnswer(_ deadline: RedisDeadline) throws(RedisUsesError) -> Int {
        let isPlain = unsafe session == nil
        let length: Int
        do throws(RedisUsesError) {
            length = try read(deadline)
        } catch .disconnected {
            throw hasAnswered || !isPlain ? .disconnected : .unanswered
        }
        guard !hasAnswered else { return length }
        hasAnswered = true
        let start = buffer.prefix(length)
        if start.starts(with: "HTTP/".utf8) { throw .httpServer }
        // A TLS alert of any version begins with these bytes.
        if isPlain, start.starts(with: [0x15, 0x03]) { throw .encryptedServer }
        return length
    }

    private func nextReply() throws(RedisUsesError) -> RedisReply? {
        var found: UnsafeMutableRawPointer?
        guard unsafe redisReaderGetReply(reader, &found) == REDIS_OK else { throw .unreadableAnswer }
        guard let found = unsafe found else { return nil }
        defer { unsafe freeReplyObject(found) }
        return unsafe RedisReply(found.assumingMemoryBound(to: redisReply.self))
    }

    private func write(_ bytes: [UInt8], from start: Int, _ deadline: RedisDeadline) throws(RedisUsesError) -> Int {
        while true {
            let count = unsafe bytes.withUnsafeBytes { all in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: all[start...])
                guard let session = unsafe session else {
                    return unsafe send(descriptor, rest.baseAddress, rest.count, Self.noSignal)
                }
                ERR_clear_error()
                return unsafe Int(SSL_write(session, rest.baseAddress, Int32(clamping: rest.count)))
            }
            if count > 0 { return count }
            try pause(after: count, for: POLLOUT, until: deadline)
        }
    }

    private func read(_ deadline: RedisDeadline) throws(RedisUsesError) -> Int {
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { all in
                guard let session = unsafe session else {
                    return unsafe recv(descriptor, all.baseAddress, all.count, 0)
                }
                ERR_clear_error()
                return unsafe Int(SSL_read(session, all.baseAddress, Int32(all.count)))
            }
            if count > 0 { return count }
            if count == 0, unsafe session == nil { throw .disconnected }
            try pause(after: count, for: POLLIN, until: deadline)
        }
    }

    /// Waits until a transfer that moved no bytes can be tried again.
    private func pause(
        after result: Int, for events: Int32, until deadline: RedisDeadline
    ) throws(RedisUsesError) {
        if let session = unsafe session {
            try unsafe awaitTLS(session, after: Int32(result), until: deadline)
        } else {
            guard errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR else { throw .disconnected }
            try waitFor(events, until: deadline)
        }
    }

    private func awaitTLS(
        _ session: OpaquePointer, after result: Int32, until deadline: RedisDeadline
    ) throws(RedisUsesError) {
        switch unsafe SSL_get_error(session, result) {
        case SSL_ERROR_WANT_READ: try waitFor(POLLIN, until: deadline)
        case SSL_ERROR_WANT_WRITE: try waitFor(POLLOUT, until: deadline)
        case SSL_ERROR_SSL: throw unsafe .tls(RedisTLSContext.failure(of: session))
        default: throw .disconnected
        }
    }

    private func waitFor(_ events: Int32, until deadline: RedisDeadline) throws(RedisUsesError) {
        while true {
            let milliseconds = deadline.milliseconds
            guard milliseconds > 0 else { throw .timedOut }
            var watched = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let found = unsafe poll(&watched, 1, milliseconds)
            if found > 0 { return }
            guard found == 0 || errno == EINTR else { throw .disconnected }
        }
    }

    private static func reason(_ context: UnsafeMutablePointer<redisContext>) -> String {
        unsafe withUnsafeBytes(of: context.pointee.errstr) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    #if os(Linux)
    private static let noSignal = Int32(MSG_NOSIGNAL)
    #else
    private static let noSignal: Int32 = 0
    #endif
}

extension RedisSocket {
    /// Looks up the name of a host, which may take any time.
    ///
    /// - Returns: the first numeric address, with IPv4 before IPv6 as in hiredis, or `.unreachable` with the message of
    ///   the operating system.
    static func number(of host: String) -> Result<String, RedisUsesError> {
        var failure: Int32 = 0
        for family in [AF_INET, AF_INET6] {
            // The system reads the hints, and creates a list that is valid until it is freed.
            var hints = unsafe addrinfo()
            unsafe hints.ai_family = family
            var list: UnsafeMutablePointer<addrinfo>?
            failure = unsafe getaddrinfo(host, nil, &hints, &list)
            guard failure == 0, let list = unsafe list else { continue }
            defer { unsafe freeaddrinfo(list) }
            let first = unsafe list.pointee
            var text = [CChar](repeating: 0, count: 256)
            // The call receives the text's actual length.
            failure = unsafe getnameinfo(
                first.ai_addr, first.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
            guard failure == 0 else { continue }
            return .success(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        // The message is copied from the system's own.
        return .failure(.unreachable(unsafe String(cString: gai_strerror(failure))))
    }
}
