extension String {
    /// A Boolean value that indicates whether the text is an identifier of a code or an action: up to 128 bytes of
    /// ASCII without blanks and control characters.
    package var isIdentifier: Bool { !isEmpty && utf8.count <= 128 && utf8.allSatisfy { (33...126).contains($0) } }

    /// The text if it is an identifier or empty, and otherwise `unknown`.
    ///
    /// A name of a service must not forge a line of a log.
    package var orUnknown: String { isEmpty || isIdentifier ? self : "unknown" }

    /// Returns the text on one line, without control characters, and cut after a number of Unicode scalars.
    ///
    /// Texts of services end up in logs, where a line break would forge a line.
    ///
    /// - Parameter most: the largest number of Unicode scalars.
    package func onOneLine(most: Int = 500) -> String {
        let isShort = utf8.count <= most
        if isShort, utf8.allSatisfy({ (32...126).contains($0) }) { return self }
        var line = String.UnicodeScalarView()
        line.append(contentsOf: unicodeScalars.prefix(most).map { $0.isForOneLine ? $0 : " " })
        if !isShort, unicodeScalars.dropFirst(most).first != nil { line.append("…") }
        return String(line)
    }
}

extension Unicode.Scalar {
    /// A Boolean value that indicates whether the scalar neither ends a line nor changes how others are shown.
    fileprivate var isForOneLine: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
