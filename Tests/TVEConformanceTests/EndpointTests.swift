import Foundation
import TVEModels
import Testing

@testable import TVEConformance

/// The judge's table of the endpoints against the sandbox's OpenAPI document, which a service answers by.
struct EndpointTests {
    private let document: MetadataValue

    init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        document = try MetadataValue(
            json: Data(contentsOf: root.appending(path: "Modules/TVESandbox/RESTv2/OpenAPI.json")))
    }

    @Test func knowsEachPathAndMethod_andEachParameterAndHeader() throws {
        var seen: Set<DocumentedEndpoint> = []
        for (path, operations) in try #require(document["paths"]?.objectValue) {
            for (method, operation) in operations.objectValue ?? [:] where method != "parameters" {
                let segments = path.split(separator: "/").map(String.init)
                let endpoint = try #require(DocumentedEndpoint.of(method.uppercased(), segments), "\(method) \(path)")
                #expect(endpoint.method == method.uppercased())
                seen.insert(endpoint)
                let listed = (operation["parameters"]?.arrayValue ?? []).map(resolved)
                let headers = Set(
                    listed.filter { $0["in"] == "header" }.compactMap { $0["name"]?.stringValue?.lowercased() })
                #expect(
                    headers.subtracting(SendsOnlyWhatIsDocumented.always).isSubset(of: endpoint.headers),
                    "\(endpoint)")
                let query = Set(listed.filter { $0["in"] == "query" }.compactMap { $0["name"]?.stringValue })
                #expect(query.union(fields(operation)).isSubset(of: endpoint.parameters), "\(endpoint)")
            }
        }
        #expect(seen == Set(DocumentedEndpoint.allCases))
    }

    private func resolved(_ value: MetadataValue) -> MetadataValue {
        guard let name = value["$ref"]?.stringValue else { return value }
        return name.split(separator: "/").dropFirst().reduce(document) { $0[String($1)] ?? .null }
    }

    private func fields(_ operation: MetadataValue) -> Set<String> {
        let content = resolved(operation["requestBody"] ?? .null)["content"]?.objectValue?.values.first
        return Set(resolved(content?["schema"] ?? .null)["properties"]?.objectValue?.keys.map { $0 } ?? [])
    }
}
