import Foundation
import TVEModels
import TVENetworking
import Testing

@testable import TVEConformance

/// Compares the judge's table of endpoints with the sandbox's OpenAPI document, by which a service responds.
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

    @Test(arguments: [
        ("GET", "o/client"), ("POST", "o/client/secrets"), ("POST", "o/client/register/more"),
        ("POST", "x/client/register"), ("POST", "o/x/token"), ("GET", "o/client/register"), ("GET", "api/v2/DEMO"),
        ("GET", "api/v1/DEMO/configuration"), ("GET", "x/v2/DEMO/configuration"), ("POST", "api/v2/DEMO/configuration"),
        ("GET", "api/v2/DEMO/configuration/more"), ("GET", "api/v2/authenticate/DEMO"),
        ("POST", "api/v2/authenticate/DEMO/CODE"), ("GET", "api/v2/authenticate/DEMO/CODE/more"),
        ("GET", "api/v2/DEMO/sessions"), ("DELETE", "api/v2/DEMO/sessions/CODE"),
        ("POST", "api/v2/DEMO/sessions/more/Apple"), ("GET", "api/v2/DEMO/sessions/sso/Apple"),
        ("POST", "api/v2/DEMO/profiles"), ("GET", "api/v2/DEMO/profiles/more/CODE"),
        ("GET", "api/v2/DEMO/profiles/sso/Apple"), ("POST", "api/v2/DEMO/profiles/code/CODE"),
        ("GET", "api/v2/DEMO/profiles/code/CODE/more"), ("POST", "api/v2/DEMO/decisions/more/cable"),
        ("POST", "api/v2/DEMO/decisions/authorize"), ("GET", "api/v2/DEMO/decisions/authorize/cable"),
        ("GET", "x/DEMO/list"), ("GET", "api/DEMO/list/more"), ("GET", "api/DEMO/news"), ("POST", "api/DEMO/list"),
        ("GET", "api/DEMO/link"), ("GET", "api/DEMO/unlink"), ("PUT", "api/DEMO/serviceToken"),
        ("GET", "api/v2/DEMO/logout"), ("GET", "api/v2/DEMO/logout/cable/more"), ("get", "api/v2/DEMO/configuration"),
    ])
    func knowsNothingElse(method: String, path: String) {
        #expect(DocumentedEndpoint.of(method, path.split(separator: "/").map(String.init)) == nil)
    }

    /// A strict sandbox must not refuse what is no fault of the client.
    @Test func theStrictSandbox_acceptsEachHeaderThatIsFree() throws {
        let known = try #require(document["x-transport-headers"]?.arrayValue).compactMap(\.stringValue)
        // Only HTTP/2, which the sandbox does not speak, has headers that begin with a colon.
        let begun = SendsOnlyWhatIsDocumented.prefixes.filter { $0 != ":" }.map { "\($0)x" }
        for header in SendsOnlyWhatIsDocumented.ordinary.union(begun) {
            let isAccepted = known.contains { entry in
                entry.hasSuffix("*") ? header.hasPrefix(String(entry.dropLast())) : header == entry
            }
            #expect(isAccepted, "\(header)")
        }
    }

    /// The service's closed lists are in the document, and those of programs on devices in the library too.
    @Test func knowsEachWordAboutADevice() throws {
        let properties = document["components"]?["schemas"]?["DeviceInformation"]?["properties"]?.objectValue
        let described = try #require(properties).compactMapValues { $0["enum"]?.arrayValue?.compactMap(\.stringValue) }
        #expect(
            described.keys.sorted() == [
                "browserName", "browserVendor", "connectionSecure", "osFamily", "osName", "osVendor",
                "primaryHardwareType",
            ])
        let sent = [
            "primaryHardwareType": DeviceInformation.HardwareType.allCases.map(\.rawValue)
                + ["Projector", "VehicleMultimediaSystem"],
            "osName": DeviceInformation.SystemName.allCases.map(\.rawValue),
            "osFamily": DeviceInformation.SystemFamily.allCases.map(\.rawValue),
            "osVendor": DeviceInformation.SystemVendor.allCases.map(\.rawValue),
        ]
        for (name, words) in described.merging(sent, uniquingKeysWith: +) {
            for word in words {
                var facts: [String: MetadataValue] = ["model": "X-1", "osName": "Linux"]
                facts[name] = .string(word)
                try Case("says \(word)", verdict: .keeps(1), .profiles([]).info(.object(facts))).check("CL22")
            }
        }
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
