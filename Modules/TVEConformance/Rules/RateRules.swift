import Foundation
import TVEModels

/// The rule for CL27: a client stays below the service's rate limit.
struct KeepsThePace: Rule {
    /// The number of requests that may come at once: one of the interval and ten of the burst, as in the vendor's
    /// example, and one for the network.
    private static let allowance = 12.0

    let row = Row(
        "CL27", .mandatory,
        sentence: "The client stays within one request a second after a first burst of ten, and waits at least "
            + "a second after a 429.",
        evidence: "a 429 and the next request, or more than twelve requests",
        advice: "Limit the rate in the one place where requests are sent, and wait there for a second after a 429.",
        source: "Throttling mechanism: Actual limits, API response changes")

    func judge(_ recording: Recording, _ verdict: inout Verdict) {
        for calls in Self.callsOfEachDevice(recording) {
            var whole = verdict
            Self.judge(calls, &whole)
            guard whole.problems.count > verdict.problems.count else {
                verdict = whole
                continue
            }
            // The applications of a device do not know each other, so each is judged by its own requests. If one of
            // them alone exceeds the limit, its problem precedes the note.
            let applications = Dictionary(grouping: calls, by: \.client)
            for own in applications.values.sorted(by: { $1[0].isAfter($0[0]) }) {
                Self.judge(own, &verdict)
            }
            verdict.note =
                "Several registrations of one device exceed the limit together, and no exchange shows "
                + "whether they belong to one application."
        }
    }

    private static func judge(_ calls: [Call], _ verdict: inout Verdict) {
        var left = allowance
        var last: Call?
        var refused: [Call] = []
        for call in calls {
            defer {
                last = call
                if call.status == 429 { refused.append(call) }
            }
            let used = isThrottled(call) ? 1.0 : 0.0
            guard let before = last else {
                left -= used
                continue
            }
            left = min(allowance, left + before.seconds(until: call)) - used
            // Requests that were sent before the 429 arrived could not wait.
            let arrived = refused.filter { $0.ended <= call.began }
            if let known = arrived.max(by: { $0.ended < $1.ended }) {
                // The limit is slightly less than a second, because clocks are read at different moments.
                if call.began.timeIntervalSince(known.ended) < 0.9 {
                    verdict.fail("The client sent the next request less than a second after a 429.", [known, call])
                } else {
                    verdict.keep([known, call])
                }
                refused.removeAll { $0.ended <= call.began }
            } else if left < 0 {
                verdict.fail("The requests exceed ten in a burst and one a second after that.", [before, call])
                left = allowance
            }
        }
        let throttled = calls.filter(isThrottled)
        if throttled.count > Int(allowance), let first = throttled.first, let last = throttled.last {
            verdict.keep([first, last])
        }
    }

    /// Returns a Boolean value that indicates whether a call counts for the limit.
    ///
    /// The vendor's page does not list the single sign-on service among the paths that are throttled.
    private static func isThrottled(_ call: Call) -> Bool { call.endpoint?.isOfHousehold != true }

    /// Returns the calls of each device.
    ///
    /// The service limits devices, and a device may have registered several times.
    private static func callsOfEachDevice(_ recording: Recording) -> [[Call]] {
        var devices: [Int: String] = [:]
        let calls = recording.known.compactMap { call in call.client.map { (call: call, client: $0) } }
        for (call, client) in calls { devices[client] = call.device ?? devices[client] }
        let groups = Dictionary(grouping: calls) { call, client in
            ExactText(call.device ?? devices[client] ?? "client \(client)")
        }
        return groups.values.map { $0.map(\.call) }.sorted { $1[0].isAfter($0[0]) }
    }
}
