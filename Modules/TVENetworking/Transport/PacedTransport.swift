package import Foundation
package import HTTPTypes
import TVEModels

/// Keeps a client within the service's throttle: a burst of ten, then one request a second, on the paths that count.
///
/// A question about what a viewer might watch lets every other request go first: behind them, a viewer waits for a
/// picture. After a 429 it retries once, when the service says or a second later (throttling page). While a service asks for
/// silence that is too long for a retry, requests that no viewer waits for are held back; those of a viewer are sent.
package final class PacedTransport: HTTPTransport {
    fileprivate struct Bucket {
        var tokens = PacedTransport.burst
        var filled: Date
        /// The patient requests that wait, and how many seconds longer each has to wait than it knows.
        var patient: [Int: TimeInterval] = [:]
        var lastPatient = 0
        /// Until when services have asked for silence, by their host.
        var silences: [String: Date] = [:]
    }

    private let next: any HTTPTransport
    private let now: @Sendable () -> Date
    private let sleep: @Sendable (Duration) async throws -> Void
    private let bucket: Guarded<Bucket>

    fileprivate static let burst = 10.0
    fileprivate static let rate = 1.0
    private static let pacedPaths = ["/o/client/", "/api/", "/reggie/", "/adobe-services/config/"]
    private static let patientPath = "/decisions/preauthorize/"
    /// The longest `Retry-After`, in seconds, for which a request waits.
    private static let longestPause = 30.0
    /// The longest time, in seconds, for which a request is held back: a login whose code has ended must hear of it.
    private static let longestSilence = 600.0

    /// Set while a request is sent behind the app's back, such as the poll of a login: it waits out a silence.
    package static let isUnasked = TaskLocal(wrappedValue: false)

    /// - Parameters:
    ///   - now: the device's clock.
    ///   - sleep: waits; throws when the task is cancelled.
    package init(
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
    package func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        let path = request.path ?? ""
        let isPaced = Self.pacedPaths.contains { path.hasBytePrefix($0) }
        let isPatient = isPaced && path.containsBytes(of: Self.patientPath)
        let host = request.authority ?? ""
        if Self.isUnasked.get() { try await waitOutSilence(of: host) }
        if isPaced { try await takeTurn(isPatient: isPatient) }
        let first = try await next.send(request, body: body)
        guard first.0.status.code == 429 || first.0.status.code == 503 else { return first }
        let wanted = RetryAfter(first.0)?.seconds(from: now())
        if let wanted, wanted > Self.longestPause {
            bucket.withLock { [now] in $0.silences[host] = now().addingTimeInterval(min(wanted, Self.longestSilence)) }
        }
        // A caller that would wait too long gets the 429 instead.
        let pause = wanted ?? 1
        guard first.0.status.code == 429, pause <= Self.longestPause else { return first }
        try await wait(max(1, pause))
        if isPaced { try await takeTurn(isPatient: isPatient) }
        return try await next.send(request, body: body)
    }

    /// Waits until a service no longer asks for silence.
    private func waitOutSilence(of host: String) async throws(TransportError) {
        let rest = bucket.withLock { [now] in $0.silences[host]?.timeIntervalSince(now()) ?? 0 }
        // After the clock was set back, too.
        try await wait(min(rest, Self.longestSilence))
    }

    /// Takes a token, and waits until it is available; a cancelled caller returns it.
    private func takeTurn(isPatient: Bool) async throws(TransportError) {
        let turn = bucket.withLock { [now] in $0.take(isPatient: isPatient, now()) }
        do throws(TransportError) {
            var pause: TimeInterval? = turn.pause
            while let seconds = pause {
                try await wait(seconds)
                pause = turn.patient.flatMap { number in bucket.withLock { $0.furtherPause(of: number) } }
            }
        } catch {
            bucket.withLock { bucket in
                bucket.tokens += 1
                if let number = turn.patient { bucket.patient.removeValue(forKey: number) }
            }
            throw error
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

}

extension PacedTransport.Bucket {
    /// Takes a token; the bucket may be in debt.
    ///
    /// Requests get their tokens one after the other, so a request that goes before others takes the place of the first
    /// of them, and each of them moves back by one place.
    ///
    /// - Returns: how long to wait, in seconds, and the number of a patient request.
    fileprivate mutating func take(isPatient: Bool, _ now: Date) -> (pause: TimeInterval, patient: Int?) {
        // After the clock was set back, the bucket is neither filled nor drained.
        let passed = max(0, now.timeIntervalSince(filled))
        tokens = min(PacedTransport.burst, tokens + passed * PacedTransport.rate) - 1
        filled = now
        let debt = max(0, -tokens) / PacedTransport.rate
        let place = 1 / PacedTransport.rate
        guard isPatient else {
            for number in patient.keys { patient[number, default: 0] += min(place, debt) }
            return (max(0, debt - TimeInterval(patient.count) * place), nil)
        }
        lastPatient += 1
        patient[lastPatient] = 0
        return (debt, lastPatient)
    }

    /// How much longer a patient request has to wait; nil when it is its turn.
    fileprivate mutating func furtherPause(of number: Int) -> TimeInterval? {
        if let pause = patient[number], pause > 0 {
            patient[number] = 0
            return pause
        }
        patient.removeValue(forKey: number)
        return nil
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
