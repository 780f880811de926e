import Foundation
import TVEModels
import TVESandbox

/// An exchange with its messages as the JSON document of the API.
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
            kind = text.kind
            body = text.text
            length = message.length
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

/// A `curl` command that repeats the request of an exchange.
enum CurlCommand {
    static func text(_ exchange: SandboxExchange, host: String) -> String {
        // Without --globoff, curl reads brackets and braces in a URL as a pattern and sends many requests.
        var parts = ["curl -i --globoff \(ShellWord("http://\(host)\(exchange.target)"))"]
        let body = exchange.request.body
        // With a body, curl would send POST.
        if exchange.method != "GET" || !body.isEmpty { parts.append("-X \(ShellWord(exchange.method))") }
        for (name, value) in exchange.request.headers
        // After an @, curl reads the headers from a file.
        where !left.contains(name.lowercasedASCII) && !name.hasBytePrefix("@") {
            // A colon without a value would remove the header.
            parts.append("-H \(ShellWord(value.isEmpty ? "\(name);" : "\(name): \(value)"))")
        }
        for name in added(withBody: !body.isEmpty) where exchange.request.header(name) == nil {
            parts.append("-H '\(name):'")
        }
        // The other options for a body read a file if the value begins with an @.
        if !body.isEmpty { parts.append("--data-raw \(ShellWord(body))") }
        return parts.joined(separator: " \\\n  ") + "\n"
    }

    /// The names of the headers that curl sends by itself, or that are about the connection of the client.
    ///
    /// curl sends the body with its length, and not in chunks.
    private static let left: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "accept-encoding", "expect",
    ]

    /// Returns the names of the headers that curl adds to a request without them, unless the command removes them.
    private static func added(withBody hasBody: Bool) -> [String] {
        ["Accept", "User-Agent"] + (hasBody ? ["Content-Type"] : [])
    }
}

/// A word of a POSIX shell, quoted so that it consists of exactly the given bytes and the shell expands nothing in it.
///
/// The form `$'…'`, which recent versions of Bash, Zsh and Dash read, is used only if the bytes are invisible or are
/// not text.
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

    /// Returns a Boolean value that indicates whether a reader sees a scalar in its place and separately from others.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .format, .control, .lineSeparator, .paragraphSeparator, .nonspacingMark, .enclosingMark, .spacingMark:
            false
        default: true
        }
    }
}
