import Foundation
import HTTPTypes
import TVEModels
import TVENetworking

extension HTTPTransportConformance {
    /// Tests the limits of time and length.
    static func limits(
        _ make: @Sendable (_ timeout: Duration, _ maximumBytes: Int) -> any HTTPTransport
    ) async throws -> [String] {
        var violations: [String] = []
        let body = String(repeating: "x", count: 2_000)
        let long = try LoopbackServer { request, socket in
            let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n"
            if request.line.hasByteSuffix("chunked") {
                let size = String(body.utf8.count, radix: 16)
                LoopbackServer.send(
                    head + "Transfer-Encoding: chunked\r\n\r\n\(size)\r\n\(body)\r\n0\r\n\r\n", socket)
            } else {
                LoopbackServer.send(head + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)", socket)
            }
        }
        for path in ["/length", "/chunked"] {
            for (limit, fits) in [(2_000, true), (1_999, false)] {
                let answer = await outcome(make(longEnough, limit), long.url(path))
                if fits ? (try? answer.get())?.1.count != 2_000 : answer.error != .answerTooLarge(limit: limit) {
                    violations.append("An answer of 2,000 bytes meets a limit of \(limit): \(answer) (\(path)).")
                }
            }
        }
        let silent = try LoopbackServer()
        let answer = await outcome(make(.milliseconds(50), 1 << 20), silent.url("/"))
        if answer.error != .timedOut { violations.append("A silent server ends with .timedOut: \(answer).") }

        let hungUp = AsyncStream<Bool>.makeStream()
        let endless = try LoopbackServer { _, socket in
            var isOpen = LoopbackServer.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", socket)
            // These bytes are more than the buffers of a connection hold if the client does not read them.
            for _ in 0..<4_000 where isOpen {
                isOpen = LoopbackServer.send(Data(count: 16_384), socket)
                usleep(1_000)
            }
            // On a busy machine, a client that reads may have received all of them before its time ran out. The server
            // therefore sends more until the client hangs up.
            let end = ContinuousClock.now + .seconds(30)
            while isOpen, ContinuousClock.now < end {
                isOpen = LoopbackServer.send(Data(count: 1_024), socket)
                usleep(10_000)
            }
            hungUp.continuation.yield(!isOpen)
        }
        let trickle = await outcome(make(.milliseconds(100), .max), endless.url("/"))
        if trickle.error != .timedOut {
            violations.append(
                "The limit is for the whole exchange: \(trickle). A limit between two bytes never ends a slow answer.")
        }
        if await first(of: hungUp.stream) != true {
            violations.append("A request that ran out of time closes its connection.")
        }
        return violations
    }

    /// Tests that each failure without a complete answer is reported as the right error.
    static func failures(_ transport: any HTTPTransport) async throws -> [String] {
        var violations: [String] = []
        let closed = try LoopbackServer(isListening: false)
        let cutting = try LoopbackServer { _, socket in
            LoopbackServer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", socket)
        }
        let refused = await outcome(transport, closed.url("/"))
        // A port that is free could become that of another connection.
        withExtendedLifetime(closed) {}
        if refused.error != .unreachable { violations.append("Nobody listens: .unreachable, not \(refused).") }
        let hangingUp = try LoopbackServer { _, _ in }
        let none = await outcome(transport, hangingUp.url("/"))
        if none.error != .unreachable {
            violations.append("A connection that is closed without an answer is .unreachable: \(none).")
        }
        let cut = await outcome(transport, cutting.url("/"))
        if cut.error != .unreachable {
            violations.append("An answer that is cut is .unreachable and never a shorter answer: \(cut).")
        }
        for url in ["ftp://127.0.0.1/", "adobepass://ios.app"] {
            let answer = await outcome(transport, url)
            if answer.error == nil { violations.append("\(url) cannot be sent: \(answer).") }
        }
        return violations
    }

    /// Tests that a request ends at once if the service closes the connection that an earlier exchange has left open.
    ///
    /// A transport that keeps no connections receives an answer. Another one may send the request again.
    static func closedConnection(_ transport: any HTTPTransport) async throws -> [String] {
        let isFirst = Guarded(true)
        let server = try LoopbackServer { _, socket in
            LoopbackServer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", socket)
            let isKept = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            // The second request of the connection has no answer.
            if isKept { _ = LoopbackServer.Request(from: socket) }
        }
        var violations: [String] = []
        for isAfterAnswer in [false, true] {
            let answer = await outcome(transport, server.url("/"), method: .post, body: Data("body".utf8))
            if answer.error != nil, !isAfterAnswer || answer.error != .unreachable {
                violations.append("A connection that the service closes ends its request with .unreachable: \(answer).")
            }
        }
        return violations
    }

    /// Tests that a cancelled request ends at once.
    static func cancellation(_ transport: any HTTPTransport, hangsUp: Bool) async throws -> [String] {
        var violations: [String] = []
        let arrived = AsyncStream<Void>.makeStream()
        let ended = AsyncStream<Void>.makeStream()
        let waiting = Guarded<Set<Int32>>([])
        let server = try LoopbackServer { _, socket in
            waiting.withLock { _ = $0.insert(socket) }
            arrived.continuation.yield()
            // The call returns when the client hangs up or this test ends.
            var byte: UInt8 = 0
            _ = unsafe recv(socket, &byte, 1, 0)
            waiting.withLock { _ = $0.remove(socket) }
            ended.continuation.yield()
        }
        // Without this, the connection of a client that does not hang up would stay open.
        defer { waiting.withLock { for socket in $0 { shutdown(socket, Int32(SHUT_RDWR)) } } }
        let task = Task { await outcome(transport, server.url("/")) }
        if await first(of: arrived.stream) == nil { violations.append("A request that nobody answers arrives.") }
        task.cancel()
        let answer = await task.value
        if answer.error != .cancelled { violations.append("A cancelled request ends with .cancelled: \(answer).") }
        if hangsUp, await first(of: ended.stream) == nil {
            violations.append("A cancelled request closes its connection.")
        }
        let late = Task {
            unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
            return await outcome(transport, server.url("/"))
        }
        let none = await late.value
        if none.error != .cancelled {
            violations.append("A task that is cancelled before it asks gets .cancelled: \(none).")
        }
        return violations
    }

    /// Returns the first element of a stream, or `nil` if there is none within a minute.
    private static func first<Element: Sendable>(of stream: AsyncStream<Element>) async -> Element? {
        await withTaskGroup(of: Element?.self) { group in
            group.addTask { await stream.first { _ in true } }
            group.addTask {
                try? await Task.sleep(for: .seconds(60))
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
