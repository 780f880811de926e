import Foundation
import TVEModels
import TVESandbox

/// One exchange with its messages, for programs.
struct ExchangeReport: Encodable {
    private struct Field: Encodable {
        let name: String
        let value: String
    }

    private struct Message: Encodable {
        let headers: [Field]
        let kind: String
        let body: String
        let length: Int

        init(_ message: SandboxExchange.Message, _ masking: Masking) {
            headers = message.headers.map { Field(name: $0.name, value: masking.value($0.value, of: $0.name)) }
            let text = BodyText(message, masking)
            (kind, body, length) = (text.kind, text.text, message.length)
        }
    }

    private let exchange: SandboxExchange
    private let request: Message
    private let answer: Message

    init(_ exchange: SandboxExchange, _ masking: Masking) {
        self.exchange = exchange
        request = Message(exchange.request, masking)
        answer = Message(exchange.answer, masking)
    }
}

/// An exchange as a command that repeats the request.
enum CurlCommand {
    static func text(_ exchange: SandboxExchange, host: String) -> String {
        // Without --globoff, brackets and braces of a target are patterns that stand for many requests.
        var parts = ["curl -i --globoff \(ShellWord("http://\(host)\(exchange.target)"))"]
        if exchange.method != "GET" { parts.append("-X \(ShellWord(exchange.method))") }
        for (name, value) in exchange.request.headers
        // curl reads a file that is named after an @.
        where !left.contains(name.lowercasedASCII) && !name.hasBytePrefix("@") {
            parts.append("-H \(ShellWord("\(name): \(value)"))")
        }
        // The other options for a body also read files.
        if !exchange.request.body.isEmpty { parts.append("--data-raw \(ShellWord(exchange.request.body))") }
        return parts.joined(separator: " \\\n  ") + "\n"
    }

    /// Headers that curl sends by itself.
    private static let left: Set<String> = ["host", "content-length", "connection", "accept-encoding", "expect"]
}

/// One word of a POSIX shell, quoted so that it has exactly the given bytes and nothing in it is obeyed.
///
/// Bash, Zsh and Dash of the last years read `$'…'`, which is written only where bytes cannot be seen or are no text.
struct ShellWord: CustomStringConvertible {
    let description: String

    init(_ text: String) { self.init(Data(text.utf8)) }

    init(_ bytes: Data) {
        if let text = String(validUTF8: bytes), text.unicodeScalars.allSatisfy(Self.isVisible) {
            description = "'\(text.replacingBytes(of: "'", with: "'\\''"))'"
            return
        }
        let escaped = bytes.map { byte -> String in
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\\"): "\\\(Unicode.Scalar(byte))"
            case 0x20..<0x7F: "\(Unicode.Scalar(byte))"
            default: "\\x" + [byte].hexadecimal
            }
        }
        description = "$'\(escaped.joined())'"
    }

    /// Whether the reader of a command sees a scalar where it stands, and sees it alone.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .format, .control, .lineSeparator, .paragraphSeparator, .nonspacingMark, .enclosingMark, .spacingMark:
            false
        default: true
        }
    }
}
