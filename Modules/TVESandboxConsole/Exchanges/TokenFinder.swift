import Foundation
import TVEModels
import TVESandbox
import TVETokenCodec

/// A search for tokens in the headers and bodies of an exchange, which also reads the fields of the tokens.
struct TokenFinder {
    private(set) var found: [FoundToken] = []
    /// The texts of the tokens that were already found, because the same token often occurs in several places.
    private var seen: Set<ExactText> = []
    /// The maximum number of tokens that are shown for an exchange.
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
                    let field = TokenField(
                        "fingerprint", value: text, meaning: "The id that the app gave this device.")
                    add("Device identifier", at: "\(side), \(name)", text: value, fields: [field])
                }
            case "x-device-info", "ap-partner-framework-status", "ap-temppass-identity":
                readMap(value, named: name, at: "\(side), \(name)")
            case "ad-service-token", "adobe-subject-token": read(value, "\(side), \(name)")
            default: break
            }
        }
        guard let text = String(validUTF8: message.body) else { return }
        if text.hasBytePrefix("<signatureInfo>") { return read(text, "\(side), body") }
        if let value = try? UntrustedJSON.read(MetadataValue.self, from: message.body, .small) {
            return read(value, "\(side), body")
        }
        if let root = try? XMLTree(parsing: message.body, .answer) { return read(root, side) }
        for (name, value) in FormFields(text).fields where value.utf8.count > 20 {
            if name == "device_info" { readMap(value, named: "X-Device-Info", at: "\(side), \(name)") }
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

    private mutating func read(_ element: XMLTree, _ side: String) {
        if element.text.hasBytePrefix("<signatureInfo>") { read(element.text, "\(side), \(element.name)") }
        for child in element.children { read(child, side) }
    }

    /// Reads a text that may be a JWT, or a signed token of one of three kinds, either plain or in Base64.
    private mutating func read(_ text: String, _ place: String) {
        guard text.utf8.count > 20, text.utf8.count < 65_536 else { return }
        let raw = text.hasBytePrefix("<signatureInfo>") ? text : Self.text(base64: text) ?? ""
        if raw.hasBytePrefix("<signatureInfo>") {
            if let (title, fields) = Self.signed(raw) { add(title, at: place, text: raw, fields: fields) }
        } else if let fields = Self.webToken(text) {
            add(Self.title(ofWebToken: fields), at: place, text: text, fields: fields)
        }
    }

    /// Reads a JSON object in Base64, each member of which becomes a field.
    private mutating func readMap(_ text: String, named name: String, at place: String) {
        guard let bytes = Data(base64Encoded: text),
            let values = try? UntrustedJSON.read([String: MetadataValue].self, from: bytes, .small)
        else { return }
        let isSecret = name.lowercased() == "ap-temppass-identity"
        let meaning = isSecret ? "Who uses a promotional TempPass." : "What the app says about the device."
        let fields = values.sorted { $0.key < $1.key }.map {
            TokenField($0.key, value: Self.text($0.value), meaning: meaning, isSecret: isSecret)
        }
        add(name, at: place, text: text, fields: fields)
    }

    private mutating func add(_ title: String, at place: String, text: String, fields: [TokenField]) {
        guard found.count < Self.maximum, seen.insert(ExactText(text)).inserted else { return }
        found.append(FoundToken(title: title, place: place, fields: fields))
    }

    private static func text(base64 text: String) -> String? {
        Data(base64Encoded: text).flatMap { String(validUTF8: $0) }
    }

    /// Returns a number as text, without a decimal point if it is an integer.
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

/// A field of a token with its meaning.
struct TokenField: Sendable {
    let name: String
    let value: String
    let meaning: String
    /// A Boolean value that indicates whether the value identifies a viewer or a device, or grants access.
    let isSecret: Bool
    /// The value as a date, or `nil` if it is not a date.
    let date: Date?
    /// The end of the token's lifetime if this field states it, for a countdown.
    let ends: Date?

    init(
        _ name: String, value: String, meaning: String, isSecret: Bool = false, date: Date? = nil, ends: Date? = nil
    ) {
        self.name = name
        self.value = value
        self.meaning = meaning
        self.isSecret = isSecret
        self.date = date ?? ends
        self.ends = ends
    }
}

/// A token found in an exchange.
struct FoundToken: Sendable {
    let title: String
    /// The header, field or element in which the token was found.
    let place: String
    let fields: [TokenField]
}
