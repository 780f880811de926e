import FlyingFox
import Foundation

/// The description of REST API v2 as the sandbox implements it, in OpenAPI 3.1.
enum OpenAPIDocument {
    static func respond(_ request: SandboxRequest) -> HTTPResponse {
        .text(text, type: "application/json;charset=UTF-8")
    }

    /// The document, which is stored beside this file and compiled in.
    static let text = String(decoding: PackageResources.OpenAPI_json, as: UTF8.self)
}
