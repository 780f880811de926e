package import Foundation
package import HTTPTypes
import TVEModels

/// A transport that respects the service's throttle: a burst of ten requests, then one request a second, on the
/// throttled paths.
///
/// Preauthorizations are sent after all other requests, because a viewer who starts a playback is waiting for those.
/// After a 429, the transport retries once, at the time that the service states or a second later (throttling page). No
/// other request to the service is sent in the second after a 429 (row CL27). If the service asks for a backoff with a
/// 429 or a 503, requests that no viewer is waiting for are held back, and a viewer's requests are sent.
package final class PacedTransport: HTTPTransport {
    fileprivate struct Bucket {
        var tokens = PacedTransport.burst
        var filled: Date
        /// The preauthorizations that wait, with the further seconds that each has to wait because others went first.
        var lowPriority: [Int: TimeInterval] = [:]
        var lastLowPriority = 0
        /// The times in which services have asked for a backoff, by their host.
        var backoffs: [String: DateInterval] = [:]
        /// The times in which nothing is sent after a 429, by the host.
        var rests: [String: DateInterval] = [:]
    }

    private let next: any HTTPTransport
    private let now: @Sendable () -> Date
    private let sleep: @Sendable (Duration) async throws -> Void
    private let keeper: PaceKeeper?
    private let bucket: Guarded<Bucket>

    fileprivate static let burst = 10.0
    fileprivate static let rate = 1.0
    private static let pacedPaths = ["/o/client/", "/api/", "/reggie/", "/adobe-services/config/"]
    private static let lowPriorityPath = "/decisions/preauthorize/"
    /// The longest `Retry-After`, in seconds, for which a request waits.
    static let longestPause = 30.0
    /// The longest backoff, in seconds, that a service gets, so that a login whose code has expired is noticed.
    private static let longestBackoff = 600.0
    /// The shortest time, in seconds, between a 429 and the next request.
    private static let rest = 1.0

    /// The longest time for which a request is held back while the service asks for a backoff.
    ///
    /// The value is task-local. It is nil for a request that a viewer has just made, which is sent at once. The polls
    /// of a login set it, and so does the request for its next code.
    package static let backoffLimit = TaskLocal<Duration?>(wrappedValue: nil)

    /// A check before a logout is sent.
    ///
    /// A program that Swift 6.3 has optimized crashes if the value of a task-local variable is a closure itself.
    struct LogoutCheck: Sendable {
        let isPending: @Sendable () -> Bool?
    }

    /// The check that each attempt to send a logout makes first; see
    /// ``EntitlementService/logout(requestorID:mvpdID:_:redirectURL:while:)``.
    static let logoutCheck = TaskLocal<LogoutCheck?>(wrappedValue: nil)
    private static let logoutPath = "/logout/"

    /// Creates a transport that paces its requests.
    ///
    /// - Parameters:
    ///   - next: the transport that sends the requests.
    ///   - now: returns the current time, by the device's clock.
    ///   - sleep: waits, and throws if the task is cancelled.
    ///   - keeper: the storage of the throttle's state. Pass nil for a process that has the device to itself.
    package init(
        next: any HTTPTransport, now: @escaping @Sendable () -> Date,
        sleep: @escaping @Sendable (Duration) async throws -> Void, keeper: PaceKeeper? = nil
    ) {
        self.next = next
        self.now = now
        self.sleep = sleep
        self.keeper = keeper
        var bucket = Bucket(filled: now())
        if let pace = keeper?.load() { bucket.takeOver(pace) }
        self.bucket = Guarded(bucket)
    }

    /// Sends a request in its turn; see ``HTTPTransport/send(_:body:)``.
    ///
    /// A second 429 is returned like any other answer, and so is a first one whose `Retry-After` is more than half a
    /// minute. A task that is cancelled while it waits ends with `.cancelled`.
    package func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        let path = request.path ?? ""
        let isPaced = Self.pacedPaths.contains { path.hasBytePrefix($0) }
        let isLowPriority = isPaced && path.containsBytes(of: Self.lowPriorityPath)
        let host = request.authority ?? ""
        if let limit = Self.backoffLimit.get() { try await waitOutBackoff(of: host, atMost: limit) }
        if isPaced { try await takeTurn(isLowPriority: isLowPriority) }
        let first = try await exchange(request, body: body, host: host)
        guard first.0.status.code == 429 || first.0.status.code == 503 else { return first }
        let wanted = recordBackoff(host, requestedBy: first.0)
        // If the pause is too long, the caller gets the 429 instead.
        let pause = wanted ?? 1
        guard first.0.status.code == 429, pause <= Self.longestPause else { return first }
        try await wait(max(Self.rest, pause))
        if isPaced { try await takeTurn(isLowPriority: isLowPriority) }
        let second = try await exchange(request, body: body, host: host)
        recordBackoff(host, requestedBy: second.0)
        return second
    }

    /// Remembers the backoff that a service asks for, for the requests that no viewer waits for.
    ///
    /// - Returns: the time that the service asks for, in seconds, or nil if it asks for none.
    @discardableResult
    private func recordBackoff(_ host: String, requestedBy answer: HTTPResponse) -> TimeInterval? {
        guard answer.status.code == 429 || answer.status.code == 503 else { return nil }
        let wanted = RetryAfter(answer.headerFields)?.seconds(from: now())
        if let wanted {
            bucket.withLock { [now] in $0.backoffs.begin(min(wanted, Self.longestBackoff), of: host, now()) }
        }
        return wanted
    }

    /// Sends a request after the rest that follows a 429, and begins such a rest if the answer is one.
    ///
    /// A logout that is no longer pending is not sent, and ends with `.cancelled`.
    private func exchange(
        _ request: HTTPRequest, body: Data?, host: String
    ) async throws(TransportError) -> (HTTPResponse, Data) {
        // An answer to another request may begin a further rest in the meantime.
        var waited: Date?
        while true {
            let (end, left) = bucket.withLock { [now] in $0.rests.current(of: host, now()) }
            guard left > 0, end != waited else { break }
            waited = end
            try await wait(left)
        }
        if request.path?.containsBytes(of: Self.logoutPath) == true, Self.logoutCheck.get()?.isPending() == false {
            throw .cancelled
        }
        let answer = try await next.send(request, body: body)
        if answer.0.status.code == 429 {
            bucket.withLock { [now, keeper] bucket in
                let time = now()
                bucket.rests.begin(Self.rest, of: host, time)
                // The service counts the requests of an address, which other devices may share. So the burst is used
                // up, and requests that were refused together are repeated one after the other.
                bucket.empty(time)
                // With nothing left, a later process waits for the same second.
                keeper?.save(PaceKeeper.Pace(left: 0, time: time))
            }
        }
        return answer
    }

    /// Changes the bucket, and stores what is left in it.
    ///
    /// Both happen under the lock, so that an older state never replaces a newer one.
    private func change<Value: Sendable>(_ body: (inout Bucket) -> Value) -> Value {
        bucket.withLock { [keeper] bucket in
            let value = body(&bucket)
            keeper?.save(PaceKeeper.Pace(left: bucket.tokens, time: bucket.filled))
            return value
        }
    }

    /// Waits until a service no longer asks for a backoff, or ten minutes at most.
    ///
    /// A flow calls this method before a request that no viewer waits for, and cancels the wait if a viewer does.
    ///
    /// - Parameter root: the root URL of the service.
    package func waitOutBackoff(of root: URL) async {
        let host = HTTPRequest(method: .get, url: root).authority ?? ""
        try? await waitOutBackoff(of: host, atMost: .seconds(Self.longestBackoff))
    }

    /// Waits until a service no longer asks for a backoff, or the limit has passed.
    private func waitOutBackoff(of host: String, atMost limit: Duration) async throws(TransportError) {
        var limit = limit / .seconds(1)
        // An answer to another request may ask for a longer backoff in the meantime.
        var waited: Date?
        while limit > 0 {
            let (end, left) = bucket.withLock { [now] in $0.backoffs.current(of: host, now()) }
            guard left > 0, end != waited else { return }
            waited = end
            let pause = min(left, limit)
            try await wait(pause)
            limit -= pause
        }
    }

    /// Takes a token and waits until it is available.
    ///
    /// A cancelled caller returns the token.
    private func takeTurn(isLowPriority: Bool) async throws(TransportError) {
        let turn = change { [now] in $0.take(isLowPriority: isLowPriority, now()) }
        do throws(TransportError) {
            var pause: TimeInterval? = turn.pause
            while let seconds = pause {
                try await wait(seconds)
                pause = turn.number.flatMap { number in bucket.withLock { $0.furtherPause(of: number) } }
            }
        } catch {
            change { bucket in
                bucket.tokens += 1
                if let number = turn.number { bucket.lowPriority.removeValue(forKey: number) }
            }
            throw error
        }
    }

    /// - Parameter time: the time to wait, in seconds.
    private func wait(_ time: TimeInterval) async throws(TransportError) {
        guard time > 0 else { return }
        do {
            try await sleep(.seconds(time))
        } catch {
            throw .cancelled
        }
    }

}

/// The pauses of hosts.
extension [String: DateInterval] {
    /// Begins a pause of a host, unless one lasts that ends later.
    ///
    /// - Parameter length: the length of the pause, in seconds.
    fileprivate mutating func begin(_ length: TimeInterval, of host: String, _ now: Date) {
        guard current(of: host, now).left < length else { return }
        self[host] = DateInterval(start: now, duration: length)
    }

    /// Returns the end of the pause of a host, and the time until then, in seconds.
    ///
    /// If a pause begins in the future, the clock was set back. The pause is forgotten, because it would hold back
    /// requests until the clock has caught up.
    fileprivate mutating func current(of host: String, _ now: Date) -> (end: Date?, left: TimeInterval) {
        guard let pause = self[host] else { return (nil, 0) }
        guard pause.start <= now else {
            removeValue(forKey: host)
            return (nil, 0)
        }
        return (pause.end, pause.end.timeIntervalSince(now))
    }
}

extension PacedTransport.Bucket {
    /// Takes over the state that an earlier process left, and fills it up.
    ///
    /// Whatever that state is, no request waits longer than after a burst of this process.
    fileprivate mutating func takeOver(_ pace: PaceKeeper.Pace) {
        let now = filled
        tokens = pace.left
        filled = pace.time
        fill(now)
        tokens = max(0, tokens)
    }

    /// Takes away what is left, because the service has granted less.
    fileprivate mutating func empty(_ now: Date) {
        fill(now)
        tokens = min(tokens, 0)
    }

    /// Adds what has become available since the last call.
    private mutating func fill(_ now: Date) {
        // After the clock was set back, the bucket is neither filled nor drained.
        let passed = max(0, now.timeIntervalSince(filled))
        tokens = min(PacedTransport.burst, tokens + passed * PacedTransport.rate)
        filled = now
    }

    /// Takes a token.
    ///
    /// The bucket may be in debt.
    ///
    /// Requests get their tokens one after the other. A request that goes before others takes the place of the first of
    /// them, and each of them moves back by one place.
    ///
    /// - Returns: the time to wait, in seconds, and the number of a preauthorization.
    fileprivate mutating func take(isLowPriority: Bool, _ now: Date) -> (pause: TimeInterval, number: Int?) {
        fill(now)
        tokens -= 1
        let debt = max(0, -tokens) / PacedTransport.rate
        let place = 1 / PacedTransport.rate
        guard isLowPriority else {
            for number in lowPriority.keys { lowPriority[number, default: 0] += min(place, debt) }
            return (max(0, debt - TimeInterval(lowPriority.count) * place), nil)
        }
        lastLowPriority += 1
        lowPriority[lastLowPriority] = 0
        return (debt, lastLowPriority)
    }

    /// Returns the further seconds that a preauthorization has to wait, or nil if it is its turn.
    fileprivate mutating func furtherPause(of number: Int) -> TimeInterval? {
        if let pause = lowPriority[number], pause > 0 {
            lowPriority[number] = 0
            return pause
        }
        lowPriority.removeValue(forKey: number)
        return nil
    }
}

/// The time of the next request that a service accepts, from the header `Retry-After` (RFC 9110, 10.2.3).
enum RetryAfter: Equatable {
    case seconds(Int)
    case date(Date)

    /// - Returns: the time, or nil if the header is missing or invalid.
    init?(_ headers: HTTPFields) {
        guard let text = headers[.retryAfter]?.trimmingCharacters(in: .whitespaces) else { return nil }
        // A number that is too large for an integer is a very long time.
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        if let seconds = Int(text) ?? (isNumber ? Int.max : nil), seconds >= 0 {
            self = .seconds(seconds)
        } else if let date = Date(httpText: text) {
            // The service's own clock shows the time that it means, whatever the clock of the device is.
            let sent = headers[.date].flatMap(Date.init(httpText:))
            self = sent.map { .seconds(Int(bounded: max(0, date.timeIntervalSince($0)))) } ?? .date(date)
        } else {
            return nil
        }
    }

    /// Returns the seconds from a given time on, which are 0 for a date that has passed.
    func seconds(from now: Date) -> TimeInterval {
        switch self {
        case .seconds(let seconds): TimeInterval(seconds)
        case .date(let date): max(0, date.timeIntervalSince(now))
        }
    }
}
