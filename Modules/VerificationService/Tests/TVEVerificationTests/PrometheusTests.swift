import Metrics
import TVETestTraits
import TVEVerification
import Testing

struct PrometheusTests {
    @Test(.row("VW8")) func page_hasWhatWasCounted() {
        let registry = PrometheusRegistry()
        let labels = [("requestor", "a\"b\\c\nd")]
        Counter(label: "b_total", dimensions: labels, factory: registry).increment(by: 3)
        Counter(label: "b_total", dimensions: labels, factory: registry).increment()
        Meter(label: "a.gauge", factory: registry).set(1.5)
        let timer = Metrics.Timer(label: "c_seconds", factory: registry)
        timer.recordMilliseconds(2)
        timer.recordSeconds(10)
        let lines = registry.page.split(separator: "\n").map(String.init)
        #expect(lines.prefix(3) == ["# TYPE a_gauge gauge", "a_gauge 1.5", "# TYPE b_total counter"])
        #expect(lines.dropFirst(3).first == #"b_total{requestor="a\"b\\c\nd"} 4"#)
        #expect(lines.contains("c_seconds_bucket{le=\"0.001\"} 0"))
        #expect(lines.contains("c_seconds_bucket{le=\"0.0025\"} 1"))
        #expect(lines.contains("c_seconds_bucket{le=\"2.5\"} 1"))
        #expect(lines.suffix(3) == ["c_seconds_bucket{le=\"+Inf\"} 2", "c_seconds_sum 10.002", "c_seconds_count 2"])
        #expect(registry.page.hasSuffix("\n"))
    }

    /// Prometheus accepts only letters of ASCII in a name.
    @Test(.row("VW8")) func otherCharactersOfAName_areReplaced() {
        let registry = PrometheusRegistry()
        Meter(label: "gr\u{F6}\u{DF}e.1", factory: registry).set(1)
        #expect(registry.page.split(separator: "\n").last == "gr__e_1 1")
    }

    /// A file of a key may have such a name, and one label that ends too early makes the whole page unreadable.
    @Test(
        .row("VW8"),
        arguments: [
            ("a\"\u{301}b", "a\\\"\u{301}b"), ("a\r\nb", "a\r\\nb"), ("a\\\u{301}", "a\\\\\u{301}"),
            ("\u{301}\"", "\u{301}\\\""),
        ])
    func aLabel_isEscaped_whateverStandsBesideItsSigns(label: String, escaped: String) {
        let registry = PrometheusRegistry()
        Counter(label: "x", dimensions: [("key", label)], factory: registry).increment()
        #expect(Array(registry.page.utf8) == Array("# TYPE x counter\nx{key=\"\(escaped)\"} 1\n".utf8))
    }

    @Test func nameUsedForTwoKinds_keepsTheFirst() {
        let registry = PrometheusRegistry()
        Counter(label: "x", factory: registry).increment()
        Metrics.Timer(label: "x", factory: registry).recordSeconds(1)
        #expect(registry.page == "# TYPE x counter\nx 1\n")
    }
}
