import FlyingFox
import Foundation
import TVEModels

/// The reason for the refusal of a request, in a sentence for the developer of the client.
package struct Objection: Equatable {
    /// The header of an answer that carries the sentence.
    ///
    /// No real service has it.
    package static let header = "X-Sandbox-Objection"

    let sentence: String
    /// The code of the enhanced error; `nil` for `invalid_request`, since no code of the vendor names an unknown
    /// parameter.
    var code: String?

    init(_ sentence: String, _ code: String? = nil) {
        self.sentence = sentence
        self.code = code
    }

    /// The refusal in the form of REST API v2.
    var refusal: SandboxRefusal {
        guard let code, let row = EnhancedErrorRow.of(code) else { return oauthRefusal }
        return SandboxRefusal(HTTPResponse.json(row.error(), status: row.status).objecting(sentence))
    }

    /// The refusal in the form of client registration.
    var oauthRefusal: SandboxRefusal {
        SandboxRefusal(.json(["error": "invalid_request"], status: 400).objecting(sentence))
    }

    /// Returns the reason for the refusal of something that the document of an endpoint does not have.
    static func undocumented(_ kind: String, _ name: String, at endpoint: String) -> Objection {
        Objection("The \(kind) \(quoted(name)) is not documented for the endpoint \"\(endpoint)\".")
    }

    /// Returns a text from a request in quotation marks, shortened and without characters that a header cannot contain.
    static func quoted(_ text: String) -> String {
        let safe = text.unicodeScalars.prefix(60).map { $0.isASCII && $0.value > 0x1F && $0.value != 0x7F ? $0 : "?" }
        return "\"\(String(String.UnicodeScalarView(safe)))\""
    }
}

extension HTTPResponse {
    /// Returns the answer with a sentence about the error in its request.
    func objecting(_ sentence: String) -> HTTPResponse {
        var response = self
        response.headers[HTTPHeader(Objection.header)] = sentence
        return response
    }
}

extension DocumentedRequests.Operation {
    /// Returns the first difference between a request and the document; `nil` when there is none.
    func objection(to request: SandboxRequest) -> Objection? {
        objection(names: request.query.fields.map(\.name), allowed: query.keys, "query parameter")
            ?? (isForBrowsers ? nil : objection(toHeaders: request)) ?? objection(toBody: request)
    }

    private func objection(names: [String], allowed: some Sequence<String>, _ kind: String) -> Objection? {
        var seen: Set<ExactText> = []
        let allowed = Set(allowed.map(ExactText.init))
        for name in names {
            guard allowed.contains(ExactText(name)) else {
                return Objection.undocumented(kind, name, at: id)
            }
            guard seen.insert(ExactText(name)).inserted else {
                return Objection("The \(kind) \(Objection.quoted(name)) occurs twice.")
            }
        }
        return nil
    }

    private func objection(toHeaders request: SandboxRequest) -> Objection? {
        let given = request.headers
            .map { (name: $0.key.rawValue.lowercased(), spelling: $0.key.rawValue, value: $0.value) }
            .sorted { $0.name < $1.name }
        for (name, spelling, value) in given {
            guard let header = headers[name] else {
                guard transport.contains(name) else {
                    return Objection.undocumented("header", spelling, at: id)
                }
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
        guard let body else {
            return request.body.isEmpty ? nil : Objection("No body is documented for the endpoint \"\(id)\".")
        }
        // A missing parameter has a code of its own, and the endpoint answers with it.
        guard !request.body.isEmpty else { return nil }
        let parts = (request.header("Content-Type") ?? "").parts(separatedBy: ";").map {
            $0.trimmingCharacters(in: .whitespaces).lowercased()
        }
        guard parts.first?.isSameBytes(as: body.contentType) == true,
            parts.dropFirst().allSatisfy({ $0 == "charset=utf-8" })
        else {
            let given = request.header("Content-Type") ?? ""
            return Objection("The body of \(id) must be \(body.contentType), not \(Objection.quoted(given)).")
        }
        guard body.contentType.hasBytePrefix("application/json") else {
            return objection(names: request.form.fields.map(\.name), allowed: body.fields, "form field")
        }
        let members = try? UntrustedJSON.read([String: MetadataValue].self, from: request.body, .small)
        return objection(names: members?.keys.sorted() ?? [], allowed: body.fields, "JSON member")
    }
}
