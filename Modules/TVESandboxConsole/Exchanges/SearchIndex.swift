import Foundation
import TVEModels
import TVESandbox

/// The texts in which a search in the list of exchanges looks for words.
///
/// The text of an exchange consists of its row in the list, its headers and its bodies, and of what these contain in
/// the encoding of forms or in Base64. It is lowercase. The index creates each text once. While a console is open, that
/// happens as exchanges arrive, so that a search only compares bytes.
final class SearchIndex: Sendable {
    private struct Text {
        /// The beginning of the exchange, because a restored snapshot may contain another one with the same number.
        let began: Date
        let bytes: Data
    }

    private let texts = Guarded<[Int: Text]>([:])

    /// The number of exchanges whose texts are stored.
    var count: Int { texts.withLock(\.count) }

    /// Creates the missing texts of exchanges, and removes those of exchanges that are no longer stored.
    func prepare(_ exchanges: [SandboxExchange]) {
        texts.withLock { texts in
            if texts.count > exchanges.count + 1_000 {
                let kept = Set(exchanges.map(\.id))
                texts = texts.filter { kept.contains($0.key) }
            }
            for exchange in exchanges where exchange.status > 0 && texts[exchange.id]?.began != exchange.began {
                texts[exchange.id] = Text(began: exchange.began, bytes: Self.text(exchange))
            }
        }
    }

    /// Returns the exchanges that contain a text, regardless of the case of ASCII letters.
    func search(_ exchanges: [SandboxExchange], _ text: String) -> [SandboxExchange] {
        prepare(exchanges)
        let wanted = Data(text.lowercasedASCII.utf8)
        let rarest = Self.rarest(wanted)
        return texts.withLock { texts in
            exchanges.filter { Self.contains(wanted, in: texts[$0.id]?.bytes ?? Self.text($0), rarest: rarest) }
        }
    }

    /// Returns a Boolean value that indicates whether a text contains the wanted bytes.
    ///
    /// The search looks for the rarest of the wanted bytes with `memchr`, which is fast even in a debug build.
    ///
    /// - Parameters:
    ///   - wanted: the bytes to search for.
    ///   - text: the bytes in which to search.
    ///   - rarest: the index of the rarest byte in `wanted`.
    private static func contains(_ wanted: Data, in text: Data, rarest: Int) -> Bool {
        unsafe text.withUnsafeBytes { text in
            unsafe wanted.withUnsafeBytes { wanted in
                guard let base = text.baseAddress, let start = wanted.baseAddress else {
                    return unsafe wanted.isEmpty
                }
                var place = 0
                while place + wanted.count <= text.count {
                    let left = text.count - wanted.count - place + 1
                    guard let found = unsafe memchr(base + place + rarest, Int32(wanted[rarest]), left) else {
                        return false
                    }
                    place = unsafe UnsafeRawPointer(found) - base - rarest
                    if unsafe memcmp(base + place, start, wanted.count) == 0 { return true }
                    place += 1
                }
                return false
            }
        }
    }

    /// Returns the index of the byte that is rarest in headers and bodies.
    private static func rarest(_ wanted: Data) -> Int {
        func rank(_ byte: UInt8) -> Int { usual.firstIndex(of: byte) ?? usual.count }
        return wanted.indices.max { rank(wanted[$0]) < rank(wanted[$1]) } ?? 0
    }

    /// The usual bytes of headers and bodies, the most frequent first.
    private static let usual = Array(" eta-o0in1sr/2\"hld3c:umf4p,gwy56b.v78k9=xjqz".utf8)

    private static func text(_ exchange: SandboxExchange) -> Data {
        let facts = exchange.facts
        var text = Data(
            [
                exchange.method, exchange.target, facts.title, facts.step, facts.device ?? "",
                facts.requestor?.text ?? "", "\(exchange.status)",
                exchange.faults.map(\.rawValue).joined(separator: " "),
                ExchangeChanges(exchange).changes.map(\.title).joined(separator: " "),
                exchange.objection ?? "",
            ].joined(separator: "\n").utf8)
        func add(_ fields: FormFields) {
            for field in fields.fields { text.append(contentsOf: Array("\n\(field.name)=\(field.value)".utf8)) }
        }
        add(FormFields(exchange.query))
        for message in [exchange.request, exchange.answer] {
            for (name, value) in message.headers { text.append(contentsOf: Array("\n\(name): \(value)".utf8)) }
            text.append(0x0A)
            text.append(message.body)
            if message.header("Content-Type")?.hasBytePrefix("application/x-www-form-urlencoded") == true {
                add(FormFields(String(decoding: message.body, as: UTF8.self)))
            }
        }
        for part in decoded(text) {
            text.append(0x0A)
            text.append(part)
        }
        var bytes = [UInt8](text)
        for place in bytes.indices where bytes[place] &- 0x41 < 26 { bytes[place] |= 0x20 }
        return Data(bytes)
    }

    /// Returns the decoded runs of at least 24 Base64 characters of either alphabet, such as the claims of tokens.
    private static func decoded(_ text: Data) -> [Data] {
        var found: [Data] = []
        let bytes = [UInt8](text)
        var start = 0
        for place in 0...bytes.count {
            if place < bytes.count, isBase64[Int(bytes[place])] { continue }
            if place - start >= 24 {
                var run = bytes[start..<place].map { byte in
                    switch byte {
                    case UInt8(ascii: "-"): UInt8(ascii: "+")
                    case UInt8(ascii: "_"): UInt8(ascii: "/")
                    default: byte
                    }
                }
                run += [UInt8](repeating: UInt8(ascii: "="), count: (4 - run.count % 4) % 4)
                if let part = Data(base64Encoded: Data(run)) { found.append(part) }
            }
            start = place + 1
        }
        return found
    }

    private static let isBase64: [Bool] = (0..<256).map { byte in
        switch UInt8(byte) {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "+/-_".utf8.contains(UInt8(byte))
        }
    }
}
