import Foundation
import HTTPTypes
import TVEModels
import TVETestTraits
import Testing

/// Tests that the document avoids the parts of JSON Schema that common generators of clients cannot read.
///
/// They were found with openapi-python-client 0.29, which refused the document or wrote modules that do not compile.
@Suite(.fewAtATime)
struct GeneratorTests {
    private let document: MetadataValue

    init() async throws {
        let text = try await SandboxClient().send(.get, "/openapi.json").text
        document = try MetadataValue(json: Data(text.utf8))
    }

    @Test func theDocumentHasNothing_thatGeneratorsRefuse() {
        let found = violations(in: document, at: "")
        #expect(found == [])
    }

    @Test(arguments: [
        ("{\"properties\":{\"a\":false}}", 1), ("{\"properties\":{\"a\":{\"not\":{}}}}", 0),
        ("{\"const\":[\"a\"]}", 1), ("{\"const\":true}", 1), ("{\"const\":\"a\"}", 0), ("{\"enum\":[true]}", 0),
        ("{\"x\":[{\"const\":false}]}", 1),
    ])
    func theReaderFindsThem(json: String, count: Int) throws {
        let value = try MetadataValue(json: Data(json.utf8))
        #expect(violations(in: value, at: "").count == count)
    }

    /// A generator names the class of an inline object after its parent, so an object that two schemas share needs a
    /// name.
    @Test func whatSchemasShare_hasNoInlineObjects() {
        let schemas = document["components"]?["schemas"]?.objectValue ?? [:]
        let shared = Set(
            schemas.values.flatMap { $0["allOf"]?.arrayValue ?? [] }
                .compactMap { $0["$ref"]?.stringValue?.split(separator: "/").last.map(String.init) })
        #expect(!shared.isEmpty)
        for name in shared.sorted() {
            for (member, schema) in schemas[name]?["properties"]?.objectValue ?? [:] {
                #expect(schema["type"] != "object" && schema["properties"] == nil, "\(name).\(member)")
            }
        }
    }

    private func violations(in value: MetadataValue, at place: String) -> [String] {
        var found: [String] = []
        switch value["const"] {
        case nil, .string?, .number?: break
        default: found.append("\(place): a constant that is neither text nor number")
        }
        for (name, schema) in value["properties"]?.objectValue ?? [:] {
            if case .bool = schema { found.append("\(place).\(name): a Boolean value for a schema") }
        }
        for (name, member) in value.objectValue ?? [:] { found += violations(in: member, at: "\(place).\(name)") }
        for (index, item) in (value.arrayValue ?? []).enumerated() {
            found += violations(in: item, at: "\(place)[\(index)]")
        }
        return found
    }
}
