import FlyingFox
import Foundation
import TVEModels

/// Why a request is refused, in a sentence for whoever develops the client.
struct Objection: Equatable {
    /// The header of an answer that carries the sentence; no real service has it.
    static let header = "X-Sandbox-Objection"

    let sentence: String
    /// The enhanced error; nil for `invalid_request`, since no code of the vendor names an unknown parameter.
    var code: String?

    init(_ sentence: String, _ code: String? = nil) {
        self.sentence = sentence
        self.code = code
    }

    /// The answer of REST API v2.
    var refusal: SandboxRefusal {
        guard let code, let row = EnhancedErrorRow.of(code) else { return oauthRefusal }
        return SandboxRefusal(HTTPResponse.json(row.error(), status: row.status).objecting(sentence))
    }

    /// The answer of client registration.
    var oauthRefusal: SandboxRefusal {
        SandboxRefusal(.json(["error": "invalid_request"], status: 400).objecting(sentence))
    }

    /// A text from a request, short enough and safe to stand in a header.
    static func quoted(_ text: String) -> String {
        let safe = text.unicodeScalars.prefix(60).map { $0.isASCII && $0.value > 0x1F && $0.value != 0x7F ? $0 : "?" }
        return "\"\(String(String.UnicodeScalarView(safe)))\""
    }
}

extension HTTPResponse {
    /// The answer with a sentence about what was wrong with its request.
    func objecting(_ sentence: String) -> HTTPResponse {
        var response = self
        response.headers[HTTPHeader(Objection.header)] = sentence
        return response
    }
}

extension DocumentedRequests.Operation {
    /// Why a request is not as documented; nil when it is.
    func objection(to request: SandboxRequest) -> Objection? {
        objection(names: request.query.fields.map(\.name), allowed: query.keys, "query parameter")
            ?? (isForBrowsers ? nil : objection(toHeaders: request)) ?? objection(toBody: request)
    }

    private func objection(names: [String], allowed: some Sequence<String>, _ kind: String) -> Objection? {
        var seen: Set<ExactText> = []
        let allowed = Set(allowed.map(ExactText.init))
        for name in names {
            guard allowed.contains(ExactText(name)) else {
                return Objection("\(id) has no \(kind) \(Objection.quoted(name)).")
            }
            guard seen.insert(ExactText(name)).inserted else {
                return Objection("The \(kind) \(Objection.quoted(name)) occurs twice.")
            }
        }
        return nil
    }

    private func objection(toHeaders request: SandboxRequest) -> Objection? {
        let given = request.headers.map { ($0.key.rawValue.lowercased(), $0.key.rawValue, $0.value) }
            .sorted { $0.0 < $1.0 }
        for (name, spelling, value) in given {
            guard let header = headers[name] else {
                guard isTransport(name) else { return Objection("\(id) has no header \(Objection.quoted(spelling)).") }
                continue
            }
            if let problem = document.problem(value, header.schema) {
                return Objection("The header \(Objection.quoted(spelling)) \(problem).", header.error)
            }
        }
        let missing = headers.filter { $0.value.isRequired && request.header($0.key) == nil }.keys.sorted().first
        return missing.map { Objection("The header \(Objection.quoted($0)) is missing.", headers[$0]?.error) }
    }

    private func objection(toBody request: SandboxRequest) -> Objection? {
        guard let body else { return request.body.isEmpty ? nil : Objection("\(id) has no body.") }
        // What is missing has codes of its own, and they come from the endpoint.
        guard !request.body.isEmpty else { return nil }
        let parts = (request.header("Content-Type") ?? "").parts(separatedBy: ";").map {
            $0.trimmingCharacters(in: .whitespaces).lowercased()
        }
        guard parts.first?.isSameBytes(as: body.contentType) == true,
            parts.dropFirst().allSatisfy({ $0 == "charset=utf-8" })
        else {
            return Objection(
                "The body of \(id) is \(body.contentType), not \(Objection.quoted(request.header("Content-Type") ?? ""))."
            )
        }
        guard body.contentType.hasBytePrefix("application/json") else {
            return objection(names: request.form.fields.map(\.name), allowed: body.fields, "form field")
        }
        let members = try? UntrustedJSON.read([String: MetadataValue].self, from: request.body, .small)
        return objection(names: members?.keys.sorted() ?? [], allowed: body.fields, "JSON member")
    }
}
