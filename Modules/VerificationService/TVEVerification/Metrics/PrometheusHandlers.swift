import Foundation
import Metrics
import NIOConcurrencyHelpers
import TVEModels

/// A counter or a gauge.
final class PrometheusNumber: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, Sendable {
    private let number = NIOLockedValueBox(0.0)

    var value: Double { number.withLockedValue { $0 } }

    func increment(by amount: Int64) { number.withLockedValue { $0 += Double(amount) } }
    func increment(by amount: Double) { number.withLockedValue { $0 += amount } }
    func decrement(by amount: Double) { number.withLockedValue { $0 -= amount } }
    func set(_ value: Int64) { number.withLockedValue { $0 = Double(value) } }
    func set(_ value: Double) { number.withLockedValue { $0 = value } }
    func record(_ value: Int64) { set(value) }
    func record(_ value: Double) { set(value) }
    func reset() { set(0.0) }

    /// Returns a number in the form that the page prints; whole numbers have no decimal point.
    static func text(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }
}

/// A histogram, whose bounds suit the durations of requests in seconds.
final class PrometheusHistogram: RecorderHandler, TimerHandler, Sendable {
    private static let bounds = [
        0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
    ]

    private struct Counts {
        var below = [Int](repeating: 0, count: PrometheusHistogram.bounds.count + 1)
        var sum = 0.0
    }

    private let counts = NIOLockedValueBox(Counts())

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let place = Self.bounds.firstIndex { value <= $0 } ?? Self.bounds.count
        counts.withLockedValue {
            $0.below[place] += 1
            $0.sum += value
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func lines(_ name: String, _ labels: String) -> [String] {
        let counts = counts.withLockedValue { $0 }
        var total = 0
        var lines: [String] = []
        for (place, count) in counts.below.enumerated() {
            total += count
            let bound = place < Self.bounds.count ? PrometheusNumber.text(Self.bounds[place]) : "+Inf"
            lines.append("\(name)_bucket{\(labels.isEmpty ? "" : labels + ",")le=\"\(bound)\"} \(total)")
        }
        let labels = labels.isEmpty ? "" : "{\(labels)}"
        return lines + ["\(name)_sum\(labels) \(PrometheusNumber.text(counts.sum))", "\(name)_count\(labels) \(total)"]
    }
}
