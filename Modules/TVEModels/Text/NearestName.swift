/// A search for the name that somebody has probably meant.
package enum NearestName {
    /// Returns the name that is most similar to a mistyped one, or `nil` if none is similar.
    package static func find(for typed: String, among names: [String]) -> String? {
        let found = names.map { (name: $0, distance: distance(Array(typed.utf8.prefix(64)), Array($0.utf8))) }
            .min { $0.distance < $1.distance }
        guard let found, found.distance <= max(1, found.name.utf8.count / 3) else { return nil }
        return found.name
    }

    /// Returns the number of bytes to insert, remove, replace or swap with a neighbour to turn one text into the other.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var rows = [[Int](0...right.count)]
        for (row, byte) in left.enumerated() {
            var next = [row + 1]
            for (column, other) in right.enumerated() {
                var best = min(rows[row][column + 1], next[column]) + 1
                best = min(best, rows[row][column] + (byte == other ? 0 : 1))
                if row > 0, column > 0, byte == right[column - 1], left[row - 1] == other {
                    best = min(best, rows[row - 1][column - 1] + 1)
                }
                next.append(best)
            }
            rows.append(next)
        }
        return rows[left.count][right.count]
    }
}
