extension QRCode {
    /// The code as lines of text for a terminal.
    ///
    /// A character shows two modules, one above the other, and draws the light ones. The lines include the empty margin
    /// that readers need. A terminal with dark text shows the code inverted, which phones can read as well.
    package var terminalLines: [String] {
        let margin = 2
        func isLight(_ row: Int, _ column: Int) -> Bool {
            guard modules.indices.contains(row), modules.indices.contains(column) else { return true }
            return !modules[row][column]
        }
        return stride(from: -margin, to: size + margin, by: 2).map { row in
            (-margin..<(size + margin)).map { column in
                switch (isLight(row, column), isLight(row + 1, column)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }.joined()
        }
    }
}
