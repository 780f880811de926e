import Foundation
import TVEModels
import TVESandbox
import TVETokenCodec

/// Finds tokens in headers and bodies, and reads their fields.
struct TokenFinder {
    private(set) var found: [FoundToken] = []
    /// Tokens that were already found: the same token is often in several places.
    private var seen: Set<ExactText> = []
    /// Most tokens that are shown of one exchange.
    private static let maximum = 20

    init(_ exchange: SandboxExchange) {
        read(exchange.request, "request")
        read(exchange.answer, "answer")
    }

    private mutating func read(_ message: SandboxExchange.Message, _ side: String) {
        for (name, value) in message.headers {
            switch name.lowercased() {
            case "authorization": SandboxRequest.bearer(value).map { read($0, "\(side), \(name)") }
            case "ap-device-identifier":
                let parts = value.parts(separatedBy: " ", keepsEmpty: false)
                if parts.count == 2, let text = Self.text(base64: String(parts[1])) {
                    let field = TokenField("fingerprint", text, "The id that the app gave this device.")
                    add("Device identifier", "\(side), \(name)", value, [field])
                }
            case "x-device-info", "ap-partner-framework-status", "ap-temppass-identity":
                readMap(value, name, "\(side), \(name)")
            case "ad-service-token", "adobe-subject-token": read(value, "\(side), \(name)")
            default: break
            }
        }
        guard let text = String(validUTF8: message.body) else { return }
        if text.hasBytePrefix("<signatureInfo>") { return read(text, "\(side), body") }
        if let value = try? UntrustedJSON.read(MetadataValue.self, from: message.body, .small) {
            return read(value, "\(side), body")
        }
        if let root = try? XMLTree.parse(message.body, .answer) { return read(root, side) }
        for (name, value) in FormFields(text).fields where value.utf8.count > 20 {
            if name == "device_info" { readMap(value, "X-Device-Info", "\(side), \(name)") }
            read(value, "\(side), \(name)")
        }
    }

    private mutating func read(_ value: MetadataValue, _ place: String) {
        switch value {
        case .string(let text): read(text, place)
        case .array(let values): for value in values { read(value, place) }
        case .object(let values):
            for (name, value) in values.sorted(by: { $0.key < $1.key }) { read(value, "\(place), \(name)") }
        case .null, .bool, .number: break
        }
    }

    private mutating func read(_ element: XMLElement, _ side: String) {
        if element.text.hasBytePrefix("<signatureInfo>") { read(element.text, "\(side), \(element.name)") }
        for child in element.children { read(child, side) }
    }

    /// Reads a possible token: a signed one of three kinds, in Base64 or not, or a JWT.
    private mutating func read(_ text: String, _ place: String) {
        guard text.utf8.count > 20, text.utf8.count < 65_536 else { return }
        let raw = text.hasBytePrefix("<signatureInfo>") ? text : Self.text(base64: text) ?? ""
        if raw.hasBytePrefix("<signatureInfo>") {
            if let (title, fields) = Self.signed(raw) { add(title, place, raw, fields) }
        } else if let fields = Self.webToken(text) {
            add(Self.title(ofWebToken: fields), place, text, fields)
        }
    }

    private mutating func readMap(_ text: String, _ name: String, _ place: String) {
        guard let bytes = Data(base64Encoded: text),
            let values = try? UntrustedJSON.read([String: MetadataValue].self, from: bytes, .small)
        else { return }
        let isSecret = name.lowercased() == "ap-temppass-identity"
        let meaning = isSecret ? "Who uses a promotional TempPass." : "What the app says about the device."
        let fields = values.sorted { $0.key < $1.key }.map {
            TokenField($0.key, Self.text($0.value), meaning, isSecret: isSecret)
        }
        add(name, place, text, fields)
    }

    private mutating func add(_ title: String, _ place: String, _ text: String, _ fields: [TokenField]) {
        guard found.count < Self.maximum, seen.insert(ExactText(text)).inserted else { return }
        found.append(FoundToken(title: title, place: place, fields: fields))
    }

    private static func text(base64 text: String) -> String? {
        Data(base64Encoded: text).flatMap { String(validUTF8: $0) }
    }

    /// A number, without a fraction where it has none.
    static func text(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? "\(Int64(bounded: number))" : "\(number)"
    }

    static func text(_ value: MetadataValue) -> String {
        switch value {
        case .string(let text): text
        case .number(let number): text(number)
        case .bool(let flag): "\(flag)"
        case .null: "null"
        case .array(let values): values.map(text).joined(separator: ", ")
        case .object(let values):
            values.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" }.joined(separator: ", ")
        }
    }
}

/// A field of a token, and its meaning.
struct TokenField: Sendable {
    let name: String
    let value: String
    let meaning: String
    /// Whether the value identifies a viewer or a device, or grants access.
    let isSecret: Bool
    /// The value as a date, if it is one.
    let date: Date?
    /// The end of a lifetime, for a countdown.
    let ends: Date?

    init(
        _ name: String, _ value: String, _ meaning: String, isSecret: Bool = false, date: Date? = nil, ends: Date? = nil
    ) {
        (self.name, self.value, self.meaning) = (name, value, meaning)
        (self.isSecret, self.date, self.ends) = (isSecret, date ?? ends, ends)
    }
}

/// A token found in an exchange.
struct FoundToken: Sendable {
    let title: String
    /// Its place: the header, field or element.
    let place: String
    let fields: [TokenField]
}
