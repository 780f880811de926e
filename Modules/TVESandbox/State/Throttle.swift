import FlyingFox
import Foundation
import TVEModels

/// The throttle of the service, which allows each device one request a second and a burst of ten (wire protocol,
/// throttling).
struct Throttle {
    private var buckets: [String: (tokens: Double, filled: Date)] = [:]
    /// The number of requests that may come at once: one of the second and ten of the burst, as in the example of the
    /// vendor's page.
    private static let burst = 11.0
    private static let rate = 1.0
    /// The time in seconds by which a request may arrive before its turn, because requests do not take equally long.
    ///
    /// The vendor's example refuses a request that is 0.2 seconds early.
    private static let tolerance = 0.1
    /// The shortest time in seconds between two polls of one code: three seconds, less half a second for the network
    /// (REST API v2, 9.9).
    static let pollPause = 2.5

    /// Takes a token from the bucket of a device; returns `false` when the bucket is empty.
    mutating func admits(_ address: String, at now: Date) -> Bool {
        let filled = buckets[address].map { Self.level(of: $0, at: now) } ?? Self.burst
        // A client can send any forwarded address, so there may be many buckets. A full bucket need not be stored.
        if buckets.count > 1_000 {
            buckets = buckets.filter { now.timeIntervalSince($0.value.filled) * Self.rate < Self.burst }
        }
        let admits = filled >= 1 - Self.tolerance
        buckets[address] = (admits ? filled - 1 : filled, now)
        return admits
    }

    /// Returns the number of requests that each recent client may still send at once, by its address.
    func left(at now: Date) -> [(String, Int)] {
        buckets.map { address, bucket in (address, Int(bounded: Self.level(of: bucket, at: now))) }
    }

    /// Returns the tokens in a bucket, which fills with the time up to the burst.
    private static func level(of bucket: (tokens: Double, filled: Date), at now: Date) -> Double {
        min(burst, bucket.tokens + max(0, now.timeIntervalSince(bucket.filled)) * rate)
    }

    /// Returns a Boolean value that indicates whether the sandbox throttles a path.
    ///
    /// The vendor's page lists paths of these services. Where it lists only some, as below `/api/v1/`, the sandbox
    /// throttles the service's other paths too. The single sign-on service is not on the page.
    static func applies(to path: [String]) -> Bool {
        switch path.first {
        case "o", "reggie": true
        case "api": path.count > 1 && ["v1", "v2"].contains(path[1])
        case "adobe-services": path.count > 1 && path[1] == "config"
        default: false
        }
    }

    /// The answer of a throttle, without the reason.
    static let refusal = HTTPResponse.html(
        "<html><head><title>429 Too Many Requests</title></head><body><h1>429 Too Many Requests</h1></body></html>",
        status: 429
    )

    /// The answer to a device whose bucket is empty.
    static let refusalAboveTheLimit = refusal.objecting(
        "The client exceeded the limit of ten requests in a burst and one a second after that.")
}
