import Foundation

/// A measurement of several implementations of the same work, side by side.
///
/// The number of repetitions of each implementation is first chosen so that it takes about 20 ms. Then each round runs
/// all of them once, in rotated order, and compares them within the round, so that other work on the machine affects
/// all alike. The ratio is the median over the rounds.
public struct Contest {
    /// The name of our implementation.
    public let name: String
    private var ways: [Way] = []
    private let rounds: Int

    private struct Way {
        let name: String
        let run: (_ repetitions: Int) -> Void
        var goal: Goal?
        var repetitions = 1
        var seconds: [Double] = []
    }

    /// Creates a contest.
    ///
    /// - Parameters:
    ///   - name: the name of our implementation in the output.
    ///   - rounds: the number of rounds, which is odd.
    ///   - run: a closure that does our work the given number of times.
    public init(_ name: String, rounds: Int = 21, run: @escaping (_ repetitions: Int) -> Void) {
        self.name = name
        self.rounds = rounds
        ways = [Way(name: name, run: run, goal: nil)]
    }

    /// Adds an implementation with which ours is compared.
    ///
    /// - Parameters:
    ///   - name: the name of the peer in the output.
    ///   - goal: the goal for our time divided by the peer's; `nil` for a peer that only informs.
    ///   - run: a closure that does the peer's work the given number of times.
    public mutating func peer(_ name: String, goal: Goal? = nil, run: @escaping (_ repetitions: Int) -> Void) {
        ways.append(Way(name: name, run: run, goal: goal))
    }

    /// Runs the rounds, and adds the ratio of our time to that of each peer to the ``Scoreboard``.
    ///
    /// - Returns: a sentence for each goal whose miss fails the run.
    public mutating func compare() -> [String] {
        for index in ways.indices { ways[index].repetitions = Self.calibrated(ways[index].run) }
        for round in 0..<rounds {
            for turn in ways.indices {
                let index = (turn + round) % ways.count
                let repetitions = ways[index].repetitions
                ways[index].seconds.append(Self.time { ways[index].run(repetitions) } / Double(repetitions))
            }
        }
        let ours = ways[0].seconds
        return ways.dropFirst().compactMap { peer in
            Scoreboard.record(
                Score(
                    question: name, peer: peer.name, ours: Self.text(Self.median(ours)),
                    theirs: Self.text(Self.median(peer.seconds)),
                    ratio: Self.median(zip(ours, peer.seconds).map { $0 / $1 }), goal: peer.goal))
        }
    }

    /// Returns a time as text, for example `12.3 µs` or `4.56 ms`.
    public static func text(_ seconds: Double) -> String {
        switch seconds {
        case ..<1e-3: String(format: "%.3g µs", seconds * 1e6)
        case ..<1: String(format: "%.3g ms", seconds * 1e3)
        default: String(format: "%.3g s", seconds)
        }
    }

    /// Returns the median of an odd number of values.
    public static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }

    /// Runs some work and returns its duration in seconds.
    public static func time(_ work: () -> Void) -> Double {
        let start = DispatchTime.now().uptimeNanoseconds
        work()
        return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
    }

    private static func calibrated(_ run: (Int) -> Void) -> Int {
        var repetitions = 1
        // Work that fails returns at once, however often it is asked for.
        while repetitions < 1 << 30 {
            let seconds = time { run(repetitions) }
            if seconds > 0.01 { return max(1, Int(Double(repetitions) * 0.02 / seconds)) }
            repetitions *= 2
        }
        return repetitions
    }
}
