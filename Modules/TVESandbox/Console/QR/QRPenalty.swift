/// How hard a QR code is to read: lower is better (ISO/IEC 18004, data mask evaluation).
enum QRPenalty {
    static func of(_ modules: [[Bool]]) -> Int {
        let columns = modules.indices.map { column in modules.map { $0[column] } }
        return (modules + columns).reduce(0) { $0 + runs($1) + finders($1) } + squares(modules) + balance(modules)
    }

    /// Five or more equal modules in a row.
    private static func runs(_ line: [Bool]) -> Int {
        var (sum, length) = (0, 1)
        for place in 1...line.count {
            if place < line.count, line[place] == line[place - 1] {
                length += 1
                continue
            }
            if length >= 5 { sum += length - 2 }
            length = 1
        }
        return sum
    }

    /// Patterns that look like a finder pattern.
    private static func finders(_ line: [Bool]) -> Int {
        let corner = [true, false, true, true, true, false, true, false, false, false, false]
        let mirrored = Array(corner.reversed())
        return (0...(line.count - corner.count)).reduce(0) { sum, start in
            let part = Array(line[start..<(start + corner.count)])
            return sum + (part == corner || part == mirrored ? 40 : 0)
        }
    }

    private static func squares(_ modules: [[Bool]]) -> Int {
        var sum = 0
        for row in 1..<modules.count {
            for column in 1..<modules.count {
                let dark = modules[row][column]
                if modules[row - 1][column] == dark, modules[row][column - 1] == dark,
                    modules[row - 1][column - 1] == dark
                {
                    sum += 3
                }
            }
        }
        return sum
    }

    /// The difference between the numbers of dark and light modules.
    private static func balance(_ modules: [[Bool]]) -> Int {
        let dark = modules.reduce(0) { $0 + $1.count { $0 } }
        return abs(dark * 100 / (modules.count * modules.count) - 50) / 5 * 10
    }
}
