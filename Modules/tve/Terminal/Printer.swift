import ArgumentParser
import Foundation
import TVEModels

/// The printer through which all output of this tool goes.
///
/// The text of a service, a provider or a file cannot move the cursor, change a colour or reverse text, because it is
/// cleaned like all other output.
enum Printer {
    static func line(_ text: String) throws(OutputFailure) { try styled(clean(text)) }

    /// Prints lines that are already cleaned with ``clean(_:keepsLines:)`` and contain this tool's own colours.
    static func styled(_ text: String) throws(OutputFailure) {
        try Output.standardOutput.write(Data("\(wrapped(text, for: .standardOutput))\n".utf8))
    }

    /// Prints a value as JSON on standard output, on one line or indented.
    ///
    /// Control characters are escaped, which does not change the value.
    static func json(_ value: some Encodable, isIndented: Bool = false) throws {
        try Output.standardOutput.write(try bytes(ofJSON: value, isIndented: isIndented))
    }

    /// Prints a value as JSON on one line, and gives up on a reader that stands still once nobody waits for it.
    static func json(_ value: some Encodable, waitingWhile mayWait: @Sendable () -> Bool) async throws {
        try await Output.standardOutput.write(try bytes(ofJSON: value), waitingWhile: mayWait)
    }

    private static func bytes(ofJSON value: some Encodable, isIndented: Bool = false) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting =
            isIndented
            ? [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted] : [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(value), as: UTF8.self)
        return Data("\(escaped(text))\n".utf8)
    }

    /// Prints bytes unchanged into a pipe or a file, and without control characters on a terminal.
    static func exact(_ bytes: Data) throws(OutputFailure) {
        let isForPeople = isatty(STDOUT_FILENO) == 1
        let harmless = isForPeople ? Data(clean(String(decoding: bytes, as: UTF8.self), keepsLines: true).utf8) : bytes
        try Output.standardOutput.write(harmless)
    }

    /// Returns a text without control, format and separator characters.
    ///
    /// Characters that look like a space are replaced by spaces.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - keepsLines: a Boolean value that indicates whether line breaks and tabs are retained, for texts that this
    ///     tool composed of several lines.
    static func clean(_ text: String, keepsLines: Bool = false) -> String {
        // Most texts are plain ASCII, for which one scan of the bytes is enough.
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

    /// Returns a text whose lines are broken between words if the terminal is too narrow for them.
    ///
    /// Continuation lines are indented to the last column of the line, if that column begins in the left half. A word
    /// that is longer than a line is not broken, so that an address can be copied.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - stream: the stream for the text, which is returned unchanged if the stream is not a terminal.
    static func wrapped(_ text: String, for stream: Output) -> String {
        guard let columns = Terminal.columns(of: stream.rawValue) else { return text }
        return text.parts(separatedBy: "\n").map { wrapped($0, columns) }.joined(separator: "\n")
    }

    private static func wrapped(_ line: Substring, _ columns: Int) -> String {
        var lines: [String] = []
        var current = ""
        var width = 0
        // The position at which the last column begins.
        var indent = 0
        var blanks = -1
        for word in line.parts(separatedBy: " ") {
            blanks += 1
            guard !word.isEmpty else { continue }
            defer { blanks = 0 }
            // The escape sequences of this tool's own colours, which end with an "m", have no width.
            let texts = word.parts(separatedBy: "\u{1B}")
            let length = texts[0].count + texts.dropFirst().reduce(0) { $0 + ($1.divided(at: "m").after?.count ?? 0) }
            if width + blanks + length > columns, width > indent {
                lines.append(current)
                current = String(repeating: " ", count: indent)
                width = indent
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

    /// Returns JSON in which the characters that a terminal may interpret are escaped.
    static func escaped(_ json: String) -> String {
        guard json.utf8.contains(where: { $0 > 0x7E }) else { return json }
        var escaped = ""
        for scalar in json.unicodeScalars {
            // A reader would mistake a character that looks like a space for one.
            let isOddBlank = scalar != " " && scalar.properties.generalCategory == .spaceSeparator
            guard scalar != "\n", isControlling(scalar) || isOddBlank else {
                escaped.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 { escaped += "\\u" + String(Int(unit) + 0x10000, radix: 16).suffix(4) }
        }
        return escaped
    }

    /// Returns a Boolean value that indicates whether a terminal may interpret a character instead of showing it.
    private static func isControlling(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Returns a number with its noun, for example `1 value` or `2 values`.
    ///
    /// - Parameters:
    ///   - number: the number.
    ///   - noun: the noun for one.
    ///   - plural: the noun for several; `nil` if it only has an `s` more.
    static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        "\(number) \(number == 1 ? noun : plural ?? "\(noun)s")"
    }

    /// Returns a duration of whole seconds as a text for people, for example `1 second` or `600 seconds`.
    static func seconds(_ duration: Duration) -> String {
        count(Int(bounded: duration / .seconds(1)), "second")
    }

    /// Returns a duration as a text for people, for example `2.3 ms` or `120 ms`.
    static func time(_ milliseconds: Double) -> String {
        let tenths = (milliseconds * 10).rounded() / 10
        return tenths < 10 ? "\(tenths) ms" : "\(Int(bounded: milliseconds.rounded())) ms"
    }
}

extension String {
    /// Returns the text with trailing spaces up to a width.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// Returns the text with leading spaces up to a width.
    func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

/// The option `--json` of every command that prints facts.
///
/// Documentation/CommandLine.md describes the JSON of each command.
struct JSONOption: ParsableArguments {
    @Flag(name: .customLong("json"), help: "Print JSON instead of text for people.")
    var isOn = false
}
