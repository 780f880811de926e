import Foundation
import HTTPTypes
import HTTPTypesFoundation
import TVENetworking

/// What a sandbox says about itself at `/sandbox/info`.
struct SandboxFacts: Decodable {
    var baseURL = ""
    var softwareStatement = ""
    var mediaTokenPublicKey = ""
    var hasAnswered = false

    private enum CodingKeys: CodingKey { case baseURL, softwareStatement, mediaTokenPublicKey }

    /// Asks a sandbox; what does not answer leaves the facts empty but for the URL.
    static func read(from base: URL, within limit: Duration) async -> SandboxFacts {
        let request = HTTPRequest(method: .get, url: base.appending(path: "sandbox/info"))
        if let (_, body) = try? await URLSessionTransport(timeout: limit).send(request, body: nil),
            var facts = try? JSONDecoder().decode(SandboxFacts.self, from: body)
        {
            facts.hasAnswered = true
            return facts
        }
        return SandboxFacts(baseURL: base.absoluteString)
    }
}
