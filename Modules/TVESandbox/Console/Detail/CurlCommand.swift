import Foundation
import TVEModels

/// An exchange as a command that repeats the request.
enum CurlCommand {
    static func text(_ exchange: SandboxExchange, host: String) -> String {
        let target = exchange.path + (exchange.query.isEmpty ? "" : "?\(exchange.query)")
        var parts = ["curl -i \(quoted("http://\(host)\(target)"))"]
        if exchange.method != "GET" { parts.append("-X \(quoted(exchange.method))") }
        for (name, value) in exchange.request.headers where !left.contains(name.lowercased()) {
            parts.append("-H \(quoted("\(name): \(value)"))")
        }
        if !exchange.request.body.isEmpty { parts.append("--data-binary \(quoted(exchange.request.body))") }
        return parts.joined(separator: " \\\n  ") + "\n"
    }

    /// Headers that curl sends by itself.
    private static let left: Set<String> = ["host", "content-length", "connection", "accept-encoding", "expect"]

    private static func quoted(_ text: String) -> String { quoted(Data(text.utf8)) }

    /// A word of the shell with exactly these bytes.
    private static func quoted(_ bytes: Data) -> String {
        if bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), let text = String(validUTF8: bytes),
            !text.unicodeScalars.contains(where: { [.format, .control].contains($0.properties.generalCategory) })
        {
            return "'\(text.replacing("'", with: "'\\''"))'"
        }
        let escaped = bytes.map { byte -> String in
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\\"): "\\\(Character(Unicode.Scalar(byte)))"
            case 0x20..<0x7F: String(Character(Unicode.Scalar(byte)))
            default: "\\x" + [byte].hexadecimal
            }
        }
        return "$'\(escaped.joined())'"
    }
}
