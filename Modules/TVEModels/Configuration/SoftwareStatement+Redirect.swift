package import Foundation

extension SoftwareStatement {
    /// The redirect with the application's own scheme, `adbe.<id>://…`, for which the statement was issued (wire
    /// protocol, native completion URLs).
    package var ownRedirectURL: URL? {
        let parts = rawValue.parts(separatedBy: ".")
        guard parts.count == 3, let payload = Data(base64URL: parts[1]),
            let claims = try? UntrustedJSON.decode(Claims.self, from: payload)
        else { return nil }
        return ([claims.redirect_uri].compactMap(\.self) + (claims.redirect_uris ?? []))
            .first { $0.lowercased().hasPrefix("adbe.") }.flatMap { URL(string: $0) }
    }

    // The property names match the keys of the JSON.
    private struct Claims: Decodable {
        let redirect_uri: String?
        let redirect_uris: [String]?
    }
}
