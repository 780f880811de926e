/// A QR code of a short text (ISO/IEC 18004), in byte mode with error correction M and a version from 1 to 6.
///
/// Version 6 holds 106 bytes.
package struct QRCode {
    /// The modules row by row; `true` stands for a dark module.
    private(set) var modules: [[Bool]]
    /// The modules of the fixed patterns, which contain no data.
    private var isFixed: [[Bool]]
    let version: Int
    private(set) var mask = 0

    var size: Int { modules.count }

    /// Creates the QR code of a text, or returns `nil` if the text is too long.
    ///
    /// - Parameters:
    ///   - text: the text, of at most 106 bytes.
    ///   - mask: the number of the mask from 0 to 7; `nil` selects the mask with the lowest penalty.
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
        self.mask = best.mask
        modules = best.modules
    }

    // MARK: - Patterns

    /// Sets a module of a fixed pattern, unless it is outside of the code.
    private mutating func set(row: Int, column: Int, isDark: Bool) {
        guard (0..<size).contains(row), (0..<size).contains(column) else { return }
        modules[row][column] = isDark
        isFixed[row][column] = true
    }

    private mutating func drawPatterns() {
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] {
            for down in -4...4 {
                for right in -4...4 {
                    let ring = max(abs(down), abs(right))
                    set(row: row + down, column: column + right, isDark: ring != 2 && ring != 4)
                }
            }
        }
        for place in 8..<(size - 8) {
            set(row: 6, column: place, isDark: place % 2 == 0)
            set(row: place, column: 6, isDark: place % 2 == 0)
        }
        if version > 1 {
            let middle = size - 7
            for down in -2...2 {
                for right in -2...2 {
                    set(row: middle + down, column: middle + right, isDark: max(abs(down), abs(right)) != 1)
                }
            }
        }
        drawFormat(0)
    }

    /// Draws the two copies of the fifteen bits that encode the level of error correction and the mask.
    private mutating func drawFormat(_ mask: Int) {
        // The bits of level M are 00, so only the mask sets bits.
        var rest = mask << 10
        for bit in stride(from: 14, through: 10, by: -1) where rest >> bit & 1 == 1 { rest ^= 0x537 << (bit - 10) }
        let bits = (mask << 10 | rest) ^ 0x5412
        func bit(_ place: Int) -> Bool { bits >> place & 1 == 1 }
        for place in 0..<6 { set(row: place, column: 8, isDark: bit(place)) }
        set(row: 7, column: 8, isDark: bit(6))
        set(row: 8, column: 8, isDark: bit(7))
        set(row: 8, column: 7, isDark: bit(8))
        for place in 9..<15 { set(row: 8, column: 14 - place, isDark: bit(place)) }
        for place in 0..<8 { set(row: 8, column: size - 1 - place, isDark: bit(place)) }
        for place in 8..<15 { set(row: size - 15 + place, column: 8, isDark: bit(place)) }
        set(row: size - 8, column: 8, isDark: true)
    }

    // MARK: - Data

    /// Places the codewords in pairs of columns from right to left, alternately upwards and downwards.
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
            for column in 0..<size where !isFixed[row][column] && Self.isMasked(by: mask, row: row, column: column) {
                modules[row][column].toggle()
            }
        }
    }

    private static func isMasked(by mask: Int, row: Int, column: Int) -> Bool {
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

    /// Returns a picture for a page, which is dark on light in every colour scheme because readers require that.
    func svg(label: String) -> String {
        // A code includes a border of four light modules on each side.
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

/// The penalty that measures how hard a QR code is to read; lower is better (ISO/IEC 18004, data mask evaluation).
private enum QRPenalty {
    static func of(_ modules: [[Bool]]) -> Int {
        let columns = modules.indices.map { column in modules.map { $0[column] } }
        return (modules + columns).reduce(0) { $0 + runs($1) + finders($1) } + squares(modules) + balance(modules)
    }

    /// Returns the penalty for five or more equal modules in a row.
    private static func runs(_ line: [Bool]) -> Int {
        var sum = 0
        var length = 1
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

    /// Returns the penalty for sequences of modules that look like a finder pattern.
    private static func finders(_ line: [Bool]) -> Int {
        let corner = [true, false, true, true, true, false, true, false, false, false, false]
        let mirrored = Array(corner.reversed())
        return (0...(line.count - corner.count)).reduce(0) { sum, start in
            let part = Array(line[start..<(start + corner.count)])
            return sum + (part == corner || part == mirrored ? 40 : 0)
        }
    }

    /// Returns the penalty for squares of two by two equal modules.
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

    /// Returns the penalty for unequal numbers of dark and light modules.
    private static func balance(_ modules: [[Bool]]) -> Int {
        let dark = modules.reduce(0) { $0 + $1.count { $0 } }
        return abs(dark * 100 / (modules.count * modules.count) - 50) / 5 * 10
    }
}
