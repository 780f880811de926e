import Foundation

/// A heap of times with the earliest first; adding one and removing the earliest take logarithmic time.
struct MinimumHeap: Sendable {
    /// The parent of place `n` is at `(n - 1) / 2` and never later than it.
    private var times: [TimeInterval] = []

    /// The earliest time.
    var first: TimeInterval? { times.first }

    mutating func insert(_ time: TimeInterval) {
        times.append(time)
        var place = times.count - 1
        while place > 0, times[(place - 1) / 2] > times[place] {
            times.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Removes the earliest time, if there is one.
    mutating func removeFirst() {
        guard let last = times.popLast(), !times.isEmpty else { return }
        times[0] = last
        var place = 0
        while let child = [2 * place + 1, 2 * place + 2].filter(times.indices.contains).min(by: {
            times[$0] < times[$1]
        }),
            times[child] < times[place]
        {
            times.swapAt(place, child)
            place = child
        }
    }
}
