import Foundation
import HTTPTypes
import TVENetworking

/// The sandbox's answer at `/sandbox/info`.
struct SandboxFacts: Decodable {
    var baseURL = ""
    var softwareStatement = ""
    var mediaTokenPublicKey = ""
    var hasAnswered = false

    private enum CodingKeys: CodingKey { case baseURL, softwareStatement, mediaTokenPublicKey }

    /// Asks a sandbox; without an answer, only the URL is set.
    static func read(from base: URL, within limit: Duration) async -> SandboxFacts {
        let request = HTTPRequest(method: .get, url: base.appending(path: "sandbox/info"))
        let transport = PatientTransport(next: ToolTransport.make(timeout: limit))
        if let (_, body) = try? await transport.send(request, body: nil),
            var facts = try? JSONDecoder().decode(SandboxFacts.self, from: body)
        {
            facts.hasAnswered = true
            return facts
        }
        return SandboxFacts(baseURL: base.absoluteString)
    }
}
