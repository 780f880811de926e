import Foundation
import TVEModels

/// The requests that the sandbox's OpenAPI document describes, which a strict sandbox compares with the requests it
/// receives.
///
/// The document is the only place that defines the methods, parameters, headers and values.
package struct DocumentedRequests: Sendable {
    /// The endpoints by their `operationId`.
    package let operations: [String: Operation]
    let transport: TransportHeaders

    /// The requests of the document that every sandbox serves, which is read once.
    package static let ofTheSandbox = DocumentedRequests(document: Data(EmbeddedFile.text("OpenAPI.json").utf8))

    /// An endpoint.
    package struct Operation: Sendable {
        package let id: String
        package let method: String
        /// The path with its parameters in braces.
        package let path: String
        package let query: [String: Parameter]
        /// The headers by their names in lower case.
        package let headers: [String: Parameter]
        package let body: Body?
        /// A Boolean value that indicates whether a browser opens the endpoint, whose headers no developer controls.
        let isForBrowsers: Bool
        let document: DocumentedValues
        let transport: TransportHeaders
    }

    /// The headers that belong to the transport of messages, so that every endpoint accepts them.
    struct TransportHeaders: Sendable {
        private let names: Set<ExactText>
        /// The beginnings of names.
        private let prefixes: [String]

        /// - Parameter names: the names in lower case, of which an asterisk at the end stands for any text.
        fileprivate init(names: [String]) {
            self.names = Set(names.map(ExactText.init))
            prefixes = names.filter { $0.hasByteSuffix("*") }.map { String($0.dropLast()) }
        }

        /// Returns a Boolean value that indicates whether a header belongs to the transport.
        ///
        /// - Parameter header: the name in lower case.
        func contains(_ header: String) -> Bool {
            names.contains(ExactText(header)) || prefixes.contains { header.hasBytePrefix($0) }
        }
    }

    /// A query parameter or a header.
    package struct Parameter: Sendable {
        package let isRequired: Bool
        let schema: MetadataValue
        /// The vendor's error code for a wrong value; `nil` where the vendor has none.
        let error: String?
    }

    /// The body of a request.
    package struct Body: Sendable {
        package let contentType: String
        /// The names of the form fields or JSON members.
        package let fields: Set<String>
        /// The names of the fields or members that a body must have.
        package let required: Set<String>
    }

    /// Reads an OpenAPI document that is part of this program.
    ///
    /// Whatever it cannot read is missing in the result. A test compares the result with the endpoints.
    init(document bytes: Data) {
        let root = (try? UntrustedJSON.read(MetadataValue.self, from: bytes)) ?? .null
        let document = DocumentedValues(root: root)
        let transport = TransportHeaders(
            names: (root["x-transport-headers"]?.arrayValue ?? []).compactMap(\.stringValue))
        var operations: [String: Operation] = [:]
        for (path, item) in root["paths"]?.objectValue ?? [:] {
            for (method, operation) in item.objectValue ?? [:] {
                guard let id = operation["operationId"]?.stringValue else { continue }
                let needsToken = operation["security"] == nil
                operations[id] = Operation(
                    id: id, method: method.uppercased(), path: path, operation: operation, document: document,
                    transport: transport, needsToken: needsToken)
            }
        }
        self.operations = operations
        self.transport = transport
    }
}

extension DocumentedRequests.Operation {
    fileprivate init(
        id: String, method: String, path: String, operation: MetadataValue, document: DocumentedValues,
        transport: DocumentedRequests.TransportHeaders, needsToken: Bool
    ) {
        let parameters = (operation["parameters"]?.arrayValue ?? []).map(document.resolved)
        func named(_ place: String) -> [(String, DocumentedRequests.Parameter)] {
            parameters.filter { $0["in"]?.stringValue == place }.compactMap { parameter in
                parameter["name"]?.stringValue.map {
                    (
                        $0,
                        DocumentedRequests.Parameter(
                            isRequired: parameter["required"] == .bool(true),
                            schema: parameter["schema"] ?? .bool(true),
                            error: parameter["x-error"]?.stringValue)
                    )
                }
            }
        }
        var headers = Dictionary(named("header").map { ($0.0.lowercased(), $0.1) }) { $1 }
        if needsToken { headers["authorization"] = .init(isRequired: true, schema: .bool(true), error: nil) }
        let content = operation["requestBody"].map(document.resolved)?["content"]?.objectValue?.first
        let schema = content.flatMap { $0.value["schema"] }.map(document.resolved)
        self.init(
            id: id, method: method, path: path, query: Dictionary(named("query")) { $1 }, headers: headers,
            body: content.map { type, _ in
                DocumentedRequests.Body(
                    contentType: type, fields: Set((schema?["properties"]?.objectValue ?? [:]).keys),
                    required: Set((schema?["required"]?.arrayValue ?? []).compactMap(\.stringValue)))
            },
            isForBrowsers: id == "authenticate", document: document, transport: transport)
    }
}

/// A validator of values against the schemas of an OpenAPI document.
///
/// It supports the parts of JSON Schema that the sandbox's document uses for the values of requests.
struct DocumentedValues: Sendable {
    let root: MetadataValue

    /// Returns the schema that a reference names, or the value itself when it is no reference.
    func resolved(_ value: MetadataValue) -> MetadataValue {
        guard let reference = value["$ref"]?.stringValue else { return value }
        let found = reference.dropFirst(2).parts(separatedBy: "/").reduce(Optional(root)) { $0?[String($1)] }
        return found ?? .null
    }

    /// Returns the difference between a header's value and its schema, as the end of a sentence; `nil` when it is as
    /// documented.
    func problem(_ text: String, _ schema: MetadataValue) -> String? {
        let schema = resolved(schema)
        guard let content = schema["contentSchema"] else { return nil }
        guard let bytes = Data(base64Encoded: text) else { return "is not Base64" }
        guard let value = try? UntrustedJSON.read(MetadataValue.self, from: bytes, .small) else {
            return "is not the Base64 of JSON"
        }
        return problem(value, content, at: "")
    }

    private func problem(_ value: MetadataValue, _ schema: MetadataValue, at place: String) -> String? {
        let schema = resolved(schema)
        var name: String { place.isEmpty ? "its content" : Objection.quoted(place) }
        if let allowed = schema["enum"]?.arrayValue, !allowed.contains(value) {
            return "has an undocumented value for \(name): \(Objection.quoted(value.stringValue ?? "\(value)"))"
        }
        switch schema["type"]?.stringValue {
        case "object" where value.objectValue == nil: return "has no JSON object for \(name)"
        case "string" where value.stringValue == nil: return "has no text for \(name)"
        default: break
        }
        guard let members = value.objectValue else { return nil }
        for required in (schema["required"]?.arrayValue ?? []).compactMap(\.stringValue) where members[required] == nil
        {
            return "has no \(Objection.quoted(required))"
        }
        let choices = (schema["anyOf"]?.arrayValue ?? []).map { choice in
            (choice["required"]?.arrayValue ?? []).compactMap(\.stringValue)
        }
        if !choices.isEmpty, !choices.contains(where: { $0.allSatisfy { members[$0] != nil } }) {
            return "has none of \(choices.joined().map { Objection.quoted($0) }.joined(separator: ", "))"
        }
        let known = schema["properties"]?.objectValue ?? [:]
        for (member, inner) in members.sorted(by: { $0.key < $1.key }) {
            let place = place.isEmpty ? member : "\(place).\(member)"
            guard let rule = known[member] else {
                if schema["additionalProperties"] == .bool(false) {
                    return "has \(Objection.quoted(place)), which is not documented"
                }
                continue
            }
            if let problem = problem(inner, rule, at: place) { return problem }
        }
        return nil
    }
}
