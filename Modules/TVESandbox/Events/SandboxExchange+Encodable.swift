import Foundation

extension SandboxExchange: Encodable {
    private enum CodingKeys: String, CodingKey {
        case id, began, milliseconds, method, path, status, dialect, step, title, device, requestor, flow, faults
        case requestBytes, answerBytes
    }

    /// Encodes the exchange without headers, bodies and query, which contain secrets.
    ///
    /// - Parameter encoder: where to write to.
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(began.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)), forKey: .began)
        try values.encode((milliseconds * 1_000).rounded() / 1_000, forKey: .milliseconds)
        try values.encode(method, forKey: .method)
        try values.encode(path, forKey: .path)
        try values.encode(status, forKey: .status)
        try values.encode(facts.dialect, forKey: .dialect)
        try values.encode(facts.step, forKey: .step)
        try values.encode(facts.title, forKey: .title)
        try values.encodeIfPresent(facts.device, forKey: .device)
        try values.encodeIfPresent(facts.requestor, forKey: .requestor)
        try values.encodeIfPresent(facts.flow, forKey: .flow)
        if !faults.isEmpty { try values.encode(faults, forKey: .faults) }
        try values.encode(request.length, forKey: .requestBytes)
        try values.encode(answer.length, forKey: .answerBytes)
    }
}
