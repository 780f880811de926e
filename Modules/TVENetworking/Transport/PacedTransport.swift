public import Foundation
public import HTTPTypes
import TVEModels

/// Keeps a client within the service's throttle: a burst of ten, then one request a second, on the paths that count.
///
/// After a 429 it retries once, when the service says or a second later (throttling page).
public final class PacedTransport: HTTPTransport {
    private struct Bucket {
        var tokens = PacedTransport.burst
        var filled: Date
    }

    private let next: any HTTPTransport
    private let now: @Sendable () -> Date
    private let sleep: @Sendable (Duration) async throws -> Void
    private let bucket: Guarded<Bucket>

    private static let burst = 10.0
    private static let rate = 1.0
    private static let pacedPaths = ["/o/client/", "/api/", "/reggie/", "/adobe-services/config/"]
    /// The longest `Retry-After`, in seconds, for which a request waits.
    private static let longestPause = 30.0

    /// Adds pacing to a transport.
    ///
    /// - Parameters:
    ///   - next: sends the requests.
    ///   - now: the device's clock.
    ///   - sleep: waits; throws when the task is cancelled.
    public init(
        next: any HTTPTransport, now: @escaping @Sendable () -> Date,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.next = next
        self.now = now
        self.sleep = sleep
        self.bucket = Guarded(Bucket(filled: now()))
    }

    /// Sends a request when it is its turn; see ``HTTPTransport/send(_:body:)``.
    ///
    /// A second 429 is returned like any other answer, and so is a first one whose `Retry-After` is more than half a
    /// minute. A task that is cancelled while it waits ends with `.cancelled`.
    public func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        let isPaced = Self.applies(to: request.path ?? "")
        if isPaced { try await takeTurn() }
        let first = try await next.send(request, body: body)
        guard first.0.status.code == 429 else { return first }
        // A caller that would wait too long gets the 429 instead.
        let pause = RetryAfter(first.0)?.seconds(from: now()) ?? 1
        guard pause <= Self.longestPause else { return first }
        try await wait(max(1, pause))
        if isPaced { try await takeTurn() }
        return try await next.send(request, body: body)
    }

    /// Takes a token, and waits until it is available; a cancelled caller returns it.
    private func takeTurn() async throws(TransportError) {
        let due = turn()
        do throws(TransportError) {
            try await wait(due.timeIntervalSince(now()))
        } catch {
            bucket.withLock { $0.tokens += 1 }
            throw error
        }
    }

    /// Takes a token and returns when it is available; the bucket may be in debt.
    private func turn() -> Date {
        bucket.withLock { [now] bucket in
            let now = now()
            // After the clock was set back, the bucket is neither filled nor drained.
            let passed = max(0, now.timeIntervalSince(bucket.filled))
            bucket.tokens = min(Self.burst, bucket.tokens + passed * Self.rate) - 1
            bucket.filled = now
            return now.addingTimeInterval(max(0, -bucket.tokens) / Self.rate)
        }
    }

    /// - Parameter time: seconds.
    private func wait(_ time: TimeInterval) async throws(TransportError) {
        guard time > 0 else { return }
        do {
            try await sleep(.seconds(time))
        } catch {
            throw .cancelled
        }
    }

    private static func applies(to path: String) -> Bool {
        pacedPaths.contains { path.hasBytePrefix($0) }
    }
}

/// When a service wants the next request: the header `Retry-After` (RFC 9110, 10.2.3).
enum RetryAfter: Equatable {
    case seconds(Int)
    case date(Date)

    /// - Returns: nil without the header, or with an invalid one.
    init?(_ response: HTTPResponse) {
        guard let text = response.headerFields[.retryAfter]?.trimmingCharacters(in: .whitespaces) else { return nil }
        if let seconds = Int(text), seconds >= 0 {
            self = .seconds(seconds)
        } else if let date = try? Date(text, strategy: Self.format) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// Seconds from a given time on; 0 for a date that has passed.
    func seconds(from now: Date) -> TimeInterval {
        switch self {
        case .seconds(let seconds): TimeInterval(seconds)
        case .date(let date): max(0, date.timeIntervalSince(now))
        }
    }

    /// The only date format that services may send.
    private static let format = Date.ParseStrategy(
        format:
            "\(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT",
        locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt)
}
