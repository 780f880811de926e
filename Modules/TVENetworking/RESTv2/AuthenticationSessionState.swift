public import Foundation

/// What the service knows about a login that was begun, for a second screen that continues it (REST API v2, 5.4).
public struct AuthenticationSessionState: Sendable, Hashable, Decodable {
    /// What is known: `mvpd`, `domainName`, `redirectUrl`, `serviceProvider`.
    public let existingParameters: [String: String]
    /// Names of what is missing.
    public let missingParameters: [String]
    /// The model of the device that shows the code, if the device sent it.
    public let deviceModel: String?
    /// When the code expires.
    public let expires: Date?

    private enum CodingKeys: String, CodingKey {
        case parameters, existingParameters, existing, missingParameters, missing, device, notAfter
    }

    private enum DeviceKeys: String, CodingKey { case model }

    /// Reads the service's answer in its new, older and oldest shape.
    ///
    /// - Parameter decoder: where to read from.
    /// - Throws: `DecodingError` when the answer says nothing about parameters.
    public init(from decoder: any Decoder) throws {
        let top = try decoder.container(keyedBy: CodingKeys.self)
        let values = (try? top.nestedContainer(keyedBy: CodingKeys.self, forKey: .parameters)) ?? top
        let existing =
            values.map(String.self, String.self, .existingParameters) ?? values.map(String.self, String.self, .existing)
        let missing = values.list(String.self, .missingParameters) ?? values.list(String.self, .missing)
        guard existing != nil || missing != nil else {
            throw DecodingError.dataCorruptedError(
                forKey: .existingParameters, in: top, debugDescription: "no parameters")
        }
        func current(_ name: String) -> String { name == "domain" ? "domainName" : name }
        existingParameters = Dictionary(
            (existing ?? [:]).map { (current($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
        missingParameters = (missing ?? []).map(current)
        deviceModel = (try? top.nestedContainer(keyedBy: DeviceKeys.self, forKey: .device))?.text(.model)
        expires = top.instant(.notAfter)
    }
}
