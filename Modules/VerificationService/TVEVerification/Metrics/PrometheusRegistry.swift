public import Metrics
import NIOConcurrencyHelpers
import TVEModels

/// A registry of metrics that prints them in the text format of Prometheus (exposition format 0.0.4).
///
/// Recorders and timers become histograms; timers use seconds. Labels come from the program and its configuration and
/// never from requests, so their number is bounded.
public final class PrometheusRegistry: MetricsFactory {
    private let series = NIOLockedValueBox<[Key: Series]>([:])

    /// Creates an empty registry.
    public init() {}

    private struct Key: Hashable {
        let name: String
        let labels: String
    }

    private enum Series {
        case counter(PrometheusNumber)
        case gauge(PrometheusNumber)
        case histogram(PrometheusHistogram)
    }

    /// The page for Prometheus, with all metrics sorted by name.
    public var page: String {
        let all = series.withLockedValue { $0 }.sorted { ($0.key.name, $0.key.labels) < ($1.key.name, $1.key.labels) }
        var lines: [String] = []
        var previous = ""
        for (key, series) in all {
            let type =
                switch series {
                case .counter: "counter"
                case .gauge: "gauge"
                case .histogram: "histogram"
                }
            if key.name != previous {
                if let help = MetricHelp.texts[key.name] { lines.append("# HELP \(key.name) \(help)") }
                lines.append("# TYPE \(key.name) \(type)")
            }
            previous = key.name
            switch series {
            case .counter(let number), .gauge(let number):
                let labels = key.labels.isEmpty ? "" : "{\(key.labels)}"
                lines.append("\(key.name)\(labels) \(PrometheusNumber.text(number.value))")
            case .histogram(let histogram): lines += histogram.lines(key.name, key.labels)
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func find(_ name: String, dimensions: [(String, String)], make: () -> Series) -> Series {
        let labels = dimensions.map { "\(Self.name($0.0))=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
        let key = Key(name: Self.name(name), labels: labels)
        if let found = series.withLockedValue({ $0[key] }) { return found }
        let new = make()
        return series.withLockedValue { series in
            if let found = series[key] { return found }
            series[key] = new
            return new
        }
    }

    private static func name(_ text: String) -> String {
        let name = String(
            text.unicodeScalars.map { scalar -> Character in
                let character = Character(scalar)
                let isAllowed = scalar.isASCII && (character.isLetter || character.isNumber)
                return isAllowed ? character : "_"
            })
        return name.first?.isNumber == true ? "_" + name : name
    }

    /// Returns a label's value in the form of the page, which has no unescaped quotation mark and no line break.
    ///
    /// A search for characters would not find a quotation mark before a combining mark, or a line feed after a carriage
    /// return.
    private static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", "\"":
                escaped.append("\\")
                escaped.append(scalar)
            case "\n":
                escaped.append("\\")
                escaped.append("n")
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    // MARK: - MetricsFactory

    /// Creates a counter, which only increases.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        number(label, dimensions: dimensions) { .counter(PrometheusNumber()) }
    }

    /// Creates a counter for fractions.
    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        number(label, dimensions: dimensions) { .counter(PrometheusNumber()) }
    }

    /// Creates a gauge, which increases and decreases.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        number(label, dimensions: dimensions) { .gauge(PrometheusNumber()) }
    }

    /// Creates a histogram, or a gauge with the last value if `aggregate` is `false`.
    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        guard aggregate else { return number(label, dimensions: dimensions) { .gauge(PrometheusNumber()) } }
        return histogram(label, dimensions: dimensions)
    }

    /// Creates a histogram of durations in seconds.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(label, dimensions: dimensions)
    }

    private func number(
        _ label: String, dimensions: [(String, String)], make: () -> Series
    ) -> PrometheusNumber {
        switch find(label, dimensions: dimensions, make: make) {
        case .counter(let number), .gauge(let number): number
        // A metric of another kind has this name. The new metric works, but it is not on the page.
        case .histogram: PrometheusNumber()
        }
    }

    private func histogram(_ label: String, dimensions: [(String, String)]) -> PrometheusHistogram {
        let series = find(label, dimensions: dimensions) { .histogram(PrometheusHistogram()) }
        guard case .histogram(let found) = series else { return PrometheusHistogram() }
        return found
    }

    /// Does nothing, because Prometheus expects the series of a counter to stay on the page.
    public func destroyCounter(_ handler: any CounterHandler) {}
    /// Does nothing.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    /// Does nothing.
    public func destroyMeter(_ handler: any MeterHandler) {}
    /// Does nothing.
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Does nothing.
    public func destroyTimer(_ handler: any TimerHandler) {}
}
