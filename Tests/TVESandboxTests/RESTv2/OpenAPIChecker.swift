import Foundation
import TVEModels

/// A checker of answers against an OpenAPI 3.1 document.
///
/// It supports the parts of JSON Schema that the sandbox's document uses.
struct OpenAPIChecker {
    private let document: MetadataValue

    /// The checker that all tests share, one for each document, because all sandboxes serve the same documents.
    private static let known = Guarded<[String: OpenAPIChecker]>([:])

    static func of(_ text: String) throws -> OpenAPIChecker {
        try known.withLock { known in
            if let checker = known[text] { return checker }
            let checker = try OpenAPIChecker(text)
            known[text] = checker
            return checker
        }
    }

    private init(_ text: String) throws {
        document = try MetadataValue(json: Data(text.utf8))
    }

    /// The paths of the document with their methods.
    var operations: [(path: String, method: String, id: String)] {
        (document["paths"]?.objectValue ?? [:]).flatMap { path, item in
            (item.objectValue ?? [:]).compactMap { method, operation in
                guard case .string(let id)? = operation["operationId"] else { return nil }
                return (path, method, id)
            }
        }
    }

    /// Returns the first difference between an answer and the document; `nil` when there is none.
    func problem(_ operationID: String, status: Int, contentType: String?, body: String) -> String? {
        guard let place = operations.first(where: { $0.id == operationID }),
            let operation = document["paths"]?[place.path]?[place.method]
        else { return "no operation \(operationID)" }
        guard let response = operation["responses"]?["\(status)"].map(resolved) else {
            return "\(operationID): no status \(status)"
        }
        guard let content = response["content"]?.objectValue else {
            return body.isEmpty ? nil : "\(operationID) \(status): a body where none is documented"
        }
        let type = contentType?.split(separator: ";").first.map(String.init) ?? ""
        guard let media = content.first(where: { $0.key.split(separator: ";").first.map(String.init) == type })?.value
        else { return "\(operationID) \(status): content type \(type)" }
        guard type == "application/json", let schema = media["schema"] else { return nil }
        guard let value = try? MetadataValue(json: Data(body.utf8)) else {
            return "\(operationID) \(status): no JSON"
        }
        return violation(of: schema, by: value, at: "\(operationID) \(status)")
    }

    private func resolved(_ value: MetadataValue) -> MetadataValue {
        guard case .string(let reference)? = value["$ref"] else { return value }
        let found = reference.dropFirst(2).split(separator: "/").reduce(Optional(document)) { $0?[String($1)] }
        return found.map(resolved) ?? .null
    }

    /// Returns the first place at which a value violates a schema; `nil` when there is none.
    func violation(of schema: MetadataValue, by value: MetadataValue, at place: String) -> String? {
        let schema = resolved(schema)
        if case .bool(let allowed) = schema { return allowed ? nil : "\(place) must not be there" }
        guard schema != .null else { return "\(place): the schema is missing" }
        if let types = schema["type"], !types.texts.contains(where: { value.isOf(type: $0) }) {
            return "\(place) is not of type \(types.texts)"
        }
        if case .array(let allowed)? = schema["enum"], !allowed.contains(value) {
            return "\(place) is none of the enum"
        }
        if let forbidden = schema["not"], violation(of: forbidden, by: value, at: place) == nil {
            return "\(place) is what it must not be"
        }
        if let constant = schema["const"], constant != value { return "\(place) is not the constant" }
        if case .string(let pattern)? = schema["pattern"], case .string(let text) = value,
            (try? Regex(pattern)).flatMap({ try? $0.firstMatch(in: text) }) == nil
        {
            return "\(place) does not match \(pattern)"
        }
        for (name, isGood) in [
            ("allOf", { $0 == $1 }), ("anyOf", { $0 > 0 && $1 > 0 }), ("oneOf", { $0 == 1 && $1 > 0 }),
        ]
            as [(String, (Int, Int) -> Bool)]
        {
            guard case .array(let parts)? = schema[name] else { continue }
            let fits = parts.count { violation(of: $0, by: value, at: place) == nil }
            if !isGood(fits, parts.count) { return "\(place) fits \(fits) of \(parts.count) \(name)" }
        }
        switch value {
        case .object(let members): return violation(of: schema, byMembers: members, at: place)
        case .array(let items):
            guard let each = schema["items"] else { return nil }
            return items.enumerated().lazy
                .compactMap { violation(of: each, by: $0.element, at: "\(place)[\($0.offset)]") }.first
        default: return nil
        }
    }

    private func violation(
        of schema: MetadataValue, byMembers members: [String: MetadataValue], at place: String
    ) -> String? {
        for name in schema["required"]?.texts ?? [] where members[name] == nil { return "\(place).\(name) is missing" }
        let known = schema["properties"]?.objectValue ?? [:]
        for (name, member) in members.sorted(by: { $0.key < $1.key }) {
            let place = "\(place).\(name)"
            let rule = known[name] ?? schema["additionalProperties"] ?? .bool(true)
            if let violation = violation(of: rule, by: member, at: place) { return violation }
        }
        return nil
    }
}

extension MetadataValue {
    /// Returns a string, or the strings of an array.
    fileprivate var texts: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let items): items.flatMap(\.texts)
        default: []
        }
    }

    fileprivate func isOf(type: String) -> Bool {
        switch (self, type) {
        case (.null, "null"), (.bool, "boolean"), (.number, "number"), (.string, "string"), (.array, "array"),
            (.object, "object"):
            true
        case (.number(let number), "integer"): number == number.rounded()
        default: false
        }
    }
}
