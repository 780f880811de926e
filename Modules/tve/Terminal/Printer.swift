import ArgumentParser
import Foundation
import TVEModels

/// All output of this tool goes through this type: no output can move a cursor, change a colour or reverse text.
///
/// Texts from a service, a provider or a file go through it like all others.
enum Printer {
    static func line(_ text: String) throws(OutputFailure) { try styled(clean(text)) }

    /// Prints lines that already went through ``clean(_:keepsLines:)`` and have this tool's own colours.
    static func styled(_ text: String) throws(OutputFailure) {
        try Output.standardOutput.write(Data("\(wrapped(text, for: .standardOutput))\n".utf8))
    }

    /// Prints a value as one line of JSON, or indented, on standard output; control characters are escaped, so that the
    /// value does not change.
    static func json(_ value: some Encodable, isIndented: Bool = false) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting =
            isIndented
            ? [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted] : [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(value), as: UTF8.self)
        try Output.standardOutput.write(Data("\(escaped(text))\n".utf8))
    }

    /// Prints bytes unchanged into a pipe or a file, and without control characters on a terminal.
    static func exact(_ bytes: Data) throws(OutputFailure) {
        let isForPeople = isatty(STDOUT_FILENO) == 1
        let harmless = isForPeople ? Data(clean(String(decoding: bytes, as: UTF8.self), keepsLines: true).utf8) : bytes
        try Output.standardOutput.write(harmless)
    }

    /// The text without control, format and separator characters; characters that look like a blank become blanks.
    ///
    /// - Parameter keepsLines: whether line breaks and tabs stay, for texts that this tool made from several lines.
    static func clean(_ text: String, keepsLines: Bool = false) -> String {
        // Most texts are plain, and one scan over their bytes is enough.
        guard text.utf8.contains(where: { $0 < 0x20 || $0 > 0x7E }) else { return text }
        var cleaned = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if keepsLines, scalar == "\n" || scalar == "\t" {
                cleaned.append(scalar)
            } else if scalar.properties.generalCategory == .spaceSeparator {
                cleaned.append(" ")
            } else if !isControlling(scalar) {
                cleaned.append(scalar)
            }
        }
        return String(cleaned)
    }

    /// The lines of a text, broken between words where a terminal is too narrow for them.
    ///
    /// What follows is indented like the last column of a line, if that begins in its left half. A longer word stays
    /// whole, so that an address can be copied.
    ///
    /// - Parameter stream: where the text goes; it stays as it is where that is no terminal.
    static func wrapped(_ text: String, for stream: Output) -> String {
        guard let columns = Terminal.columns(of: stream.rawValue) else { return text }
        return text.parts(separatedBy: "\n").map { wrapped($0, columns) }.joined(separator: "\n")
    }

    private static func wrapped(_ line: Substring, _ columns: Int) -> String {
        var (lines, current, width) = ([String](), "", 0)
        // The last column begins there.
        var indent = 0
        var blanks = -1
        for word in line.parts(separatedBy: " ") {
            blanks += 1
            guard !word.isEmpty else { continue }
            defer { blanks = 0 }
            // This tool's own colours, which end with an "m", take no room.
            let texts = word.parts(separatedBy: "\u{1B}")
            let length = texts[0].count + texts.dropFirst().reduce(0) { $0 + ($1.divided(at: "m").after?.count ?? 0) }
            if width + blanks + length > columns, width > indent {
                lines.append(current)
                (current, width) = (String(repeating: " ", count: indent), indent)
            } else {
                current += String(repeating: " ", count: blanks)
                width += blanks
                let isFirst = width == blanks
                if lines.isEmpty, isFirst || blanks > 1, width <= columns / 2 { indent = width }
            }
            current += word
            width += length
        }
        return (lines + [current]).joined(separator: "\n")
    }

    /// JSON with such characters as escapes.
    static func escaped(_ json: String) -> String {
        guard json.utf8.contains(where: { $0 > 0x7E }) else { return json }
        var escaped = ""
        for scalar in json.unicodeScalars {
            // A character that looks like a blank would be taken for one.
            let isOddBlank = scalar != " " && scalar.properties.generalCategory == .spaceSeparator
            guard scalar != "\n", isControlling(scalar) || isOddBlank else {
                escaped.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 { escaped += "\\u" + String(Int(unit) + 0x10000, radix: 16).suffix(4) }
        }
        return escaped
    }

    /// Whether a terminal may interpret a character instead of showing it.
    private static func isControlling(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// A number with what it counts: `1 value`, `2 values`.
    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// A duration for people: `2.3 ms`, `120 ms`.
    static func time(_ milliseconds: Double) -> String {
        let tenths = (milliseconds * 10).rounded() / 10
        return tenths < 10 ? "\(tenths) ms" : "\(Int(bounded: milliseconds.rounded())) ms"
    }
}

extension String {
    /// The text with blanks after it, up to a width.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// The text with blanks before it, up to a width.
    func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

/// `--json`, on every command that prints facts; Documentation/CommandLine.md has the shape of each.
struct JSONOption: ParsableArguments {
    @Flag(name: .customLong("json"), help: "Print JSON instead of text for people.")
    var isOn = false
}
