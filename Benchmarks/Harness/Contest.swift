import Foundation

/// Measures several ways to do the same work side by side.
///
/// Every way is first repeated until it takes about 20 ms. Then each round runs all of them once, in rotated order, and
/// compares them within the round, so that other work on the machine affects all alike. The ratio is the median over
/// rounds.
public struct Contest {
    /// The name of our way.
    public let name: String
    private var ways: [Way] = []
    private let rounds: Int

    private struct Way {
        let name: String
        let run: (_ repetitions: Int) -> Void
        var repetitions = 1
        var seconds: [Double] = []
    }

    /// Begins a contest.
    ///
    /// - Parameters:
    ///   - name: the name of our way in the output.
    ///   - rounds: how many rounds; an odd number.
    ///   - run: does our work the given number of times.
    public init(_ name: String, rounds: Int = 21, run: @escaping (_ repetitions: Int) -> Void) {
        self.name = name
        self.rounds = rounds
        ways = [Way(name: name, run: run)]
    }

    /// Adds a way to compare ours with.
    ///
    /// - Parameters:
    ///   - name: its name in the output.
    ///   - run: does its work the given number of times.
    public mutating func peer(_ name: String, run: @escaping (_ repetitions: Int) -> Void) {
        ways.append(Way(name: name, run: run))
    }

    /// Runs the rounds and prints a `RATIO` line per peer: our time over theirs.
    ///
    /// - Returns: the ratio by peer.
    @discardableResult
    public mutating func compare() -> [String: Double] {
        for index in ways.indices { ways[index].repetitions = Self.calibrated(ways[index].run) }
        for round in 0..<rounds {
            for turn in ways.indices {
                let index = (turn + round) % ways.count
                let repetitions = ways[index].repetitions
                ways[index].seconds.append(Self.time { ways[index].run(repetitions) } / Double(repetitions))
            }
        }
        var ratios: [String: Double] = [:]
        let ours = ways[0].seconds
        for peer in ways.dropFirst() {
            let ratio = Self.median(zip(ours, peer.seconds).map { $0 / $1 })
            ratios[peer.name] = ratio
            print(
                String(
                    format: "RATIO %@ vs %@: %.4f (%.3f us against %.3f us)", name, peer.name, ratio,
                    Self.median(ours) * 1e6, Self.median(peer.seconds) * 1e6))
        }
        return ratios
    }

    /// The median.
    public static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }

    /// The duration of some work in seconds.
    public static func time(_ work: () -> Void) -> Double {
        let start = DispatchTime.now().uptimeNanoseconds
        work()
        return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
    }

    private static func calibrated(_ run: (Int) -> Void) -> Int {
        var repetitions = 1
        while true {
            let seconds = time { run(repetitions) }
            if seconds > 0.01 { return max(1, Int(Double(repetitions) * 0.02 / seconds)) }
            repetitions *= 2
        }
    }
}
