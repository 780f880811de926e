/// A QR code of a short text (ISO/IEC 18004): bytes, error correction M, versions 1 to 6, which hold 106 bytes.
package struct QRCode {
    /// Whether each module is dark, row by row.
    private(set) var modules: [[Bool]]
    /// Modules of the fixed patterns, which hold no data.
    private var isFixed: [[Bool]]
    let version: Int
    private(set) var mask = 0

    var size: Int { modules.count }

    /// - Parameter mask: the number of the mask, 0 to 7; by default the one with the lowest penalty.
    /// - Returns: nil for a text that is too long.
    package init?(_ text: String, mask: Int? = nil) {
        let bytes = Array(text.utf8)
        guard let version = QRBlocks.version(holding: bytes.count), let blocks = QRBlocks.all[version] else {
            return nil
        }
        self.version = version
        let size = 17 + 4 * version
        modules = Array(repeating: Array(repeating: false, count: size), count: size)
        isFixed = modules
        drawPatterns()
        place(blocks.codewords(bytes))
        let plain = modules
        var best: (penalty: Int, mask: Int, modules: [[Bool]])?
        for candidate in mask.map({ $0...$0 }) ?? 0...7 {
            modules = plain
            apply(candidate)
            drawFormat(candidate)
            let penalty = QRPenalty.of(modules)
            if penalty < best?.penalty ?? .max { best = (penalty, candidate, modules) }
        }
        guard let best else { return nil }
        (self.mask, modules) = (best.mask, best.modules)
    }

    // MARK: - Patterns

    private mutating func set(_ row: Int, _ column: Int, _ isDark: Bool) {
        guard (0..<size).contains(row), (0..<size).contains(column) else { return }
        modules[row][column] = isDark
        isFixed[row][column] = true
    }

    private mutating func drawPatterns() {
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] {
            for down in -4...4 {
                for right in -4...4 {
                    let ring = max(abs(down), abs(right))
                    set(row + down, column + right, ring != 2 && ring != 4)
                }
            }
        }
        for place in 8..<(size - 8) {
            set(6, place, place % 2 == 0)
            set(place, 6, place % 2 == 0)
        }
        if version > 1 {
            let middle = size - 7
            for down in -2...2 {
                for right in -2...2 { set(middle + down, middle + right, max(abs(down), abs(right)) != 1) }
            }
        }
        drawFormat(0)
    }

    /// Draws error correction and mask, twice, with fifteen bits each.
    private mutating func drawFormat(_ mask: Int) {
        // Level M is 00, so only the mask has bits.
        var rest = mask << 10
        for bit in stride(from: 14, through: 10, by: -1) where rest >> bit & 1 == 1 { rest ^= 0x537 << (bit - 10) }
        let bits = (mask << 10 | rest) ^ 0x5412
        func bit(_ place: Int) -> Bool { bits >> place & 1 == 1 }
        for place in 0..<6 { set(place, 8, bit(place)) }
        set(7, 8, bit(6))
        set(8, 8, bit(7))
        set(8, 7, bit(8))
        for place in 9..<15 { set(8, 14 - place, bit(place)) }
        for place in 0..<8 { set(8, size - 1 - place, bit(place)) }
        for place in 8..<15 { set(size - 15 + place, 8, bit(place)) }
        set(size - 8, 8, true)
    }

    // MARK: - Data

    /// Places the codewords in pairs of columns from the right, upwards and downwards in turn.
    private mutating func place(_ codewords: [UInt8]) {
        var next = 0
        var goesUp = true
        var right = size - 1
        while right > 0 {
            if right == 6 { right -= 1 }
            for step in 0..<size {
                let row = goesUp ? size - 1 - step : step
                for column in [right, right - 1] where !isFixed[row][column] {
                    if next < codewords.count * 8 {
                        modules[row][column] = codewords[next / 8] >> UInt8(7 - next % 8) & 1 == 1
                    }
                    next += 1
                }
            }
            goesUp.toggle()
            right -= 2
        }
    }

    private mutating func apply(_ mask: Int) {
        for row in 0..<size {
            for column in 0..<size where !isFixed[row][column] && Self.isMasked(mask, row, column) {
                modules[row][column].toggle()
            }
        }
    }

    private static func isMasked(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
        switch mask {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: row * column % 2 + row * column % 3 == 0
        case 6: (row * column % 2 + row * column % 3) % 2 == 0
        default: ((row + column) % 2 + row * column % 3) % 2 == 0
        }
    }

    // MARK: - Picture

    /// A picture for a page, dark on light in every colour scheme, as readers require.
    func svg(label: String) -> String {
        // A border of four modules belongs to the code.
        let size = size + 8
        var path = ""
        for (row, line) in modules.enumerated() {
            for (column, isDark) in line.enumerated() where isDark { path += "M\(column + 4) \(row + 4)h1v1h-1z" }
        }
        return """
            <svg class="qr" viewBox="0 0 \(size) \(size)" role="img" aria-label="\(label)" shape-rendering="crispEdges">
            <rect width="\(size)" height="\(size)" fill="#fff"/><path d="\(path)" fill="#000"/></svg>
            """
    }
}

/// How hard a QR code is to read: lower is better (ISO/IEC 18004, data mask evaluation).
private enum QRPenalty {
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
