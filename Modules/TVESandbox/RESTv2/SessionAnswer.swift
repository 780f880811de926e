package import Foundation
import TVEModels

/// The answer to a request that creates or continues an authentication session.
struct SessionAnswer: Encodable {
    var actionName: String
    var actionType: String
    var reasonType: String
    var missingParameters: [String]?
    var url: String
    var code: String?
    let sessionId: String
    var mvpd: MVPDID?
    let serviceProvider: RequestorID
    var notBefore: String?
    var notAfter: String?
    var authenticationRequest: AuthenticationRequest?

    struct AuthenticationRequest: Encodable {
        var type = "saml"
        let request: String
        var attributesNames = ["uid", "NameID"]
    }

    /// Creates the answer for a session that waits for its viewer.
    init(_ record: RegistrationCode, _ call: RESTv2Call) {
        let missing = record.missingParameters
        actionName = "authenticate"
        actionType = "interactive"
        reasonType = "none"
        missingParameters = missing.isEmpty ? nil : missing
        url = call.link("/api/v2/authenticate/\(record.requestorID.text.escapedForPath)/\(record.code)")
        code = record.code
        sessionId = record.id
        mvpd = record.mvpdID
        serviceProvider = record.requestorID
        // The samples have strings here, and numbers everywhere else.
        notBefore = String(record.generated.milliseconds)
        notAfter = String(record.expires.milliseconds)
    }

    /// Creates an answer for a login that needs no session.
    init(_ call: RESTv2Call, action: String, mvpdID: MVPDID, reason: String, path: String) {
        actionName = action
        actionType = "direct"
        reasonType = reason
        url = call.link("/api/v2/\(call.serviceProvider.id.text.escapedForPath)/\(path)")
        sessionId = UUID().uuidString.lowercased()
        mvpd = mvpdID
        serviceProvider = call.serviceProvider.id
    }

    static func authorize(_ call: RESTv2Call, _ mvpdID: MVPDID, reason: String) -> SessionAnswer {
        SessionAnswer(
            call, action: "authorize", mvpdID: mvpdID, reason: reason,
            path: "decisions/authorize/\(mvpdID.text.escapedForPath)")
    }
}

extension RegistrationCode {
    /// Returns the answer to a request about the session of this code.
    func sessionState(usesOtherSpelling: Bool) -> MetadataValue {
        let domain = usesOtherSpelling ? "domain" : "domainName"
        let existing = MetadataValue.members([
            "serviceProvider": "\(requestorID)", "mvpd": mvpdID.map { "\($0)" },
            domain: session?.domainName.map { .string($0) }, "redirectUrl": session?.redirectURL.map { .string($0) },
        ])
        let missing = missingParameters.map { MetadataValue.string($0 == "domainName" ? domain : $0) }
        let facts =
            Data(base64Encoded: deviceInfo)
            .flatMap { try? UntrustedJSON.read([String: MetadataValue].self, from: $0, .small) } ?? [:]
        func fact(_ names: String...) -> MetadataValue? {
            names.lazy.compactMap { facts[$0]?.stringValue }.first.map { .string($0) }
        }
        return .members([
            "parameters": usesOtherSpelling ? ["existing": existing, "missing": .array(missing)] : nil,
            "existingParameters": usesOtherSpelling ? nil : existing,
            "missingParameters": usesOtherSpelling || missing.isEmpty ? nil : .array(missing),
            // One sample in the documents has the name `type`.
            "device": .members([
                "type": fact("primaryHardwareType", "type"), "model": fact("model"),
                "applicationId": fact("applicationId"),
            ]),
            "notBefore": "\(generated.milliseconds)", "notAfter": "\(expires.milliseconds)",
        ])
    }

    /// The parameters that a login still needs.
    var missingParameters: [String] {
        [("mvpd", mvpdID?.text), ("domainName", session?.domainName), ("redirectUrl", session?.redirectURL)]
            .filter { $0.1 == nil }.map(\.0)
    }
}

extension Date {
    /// The number of milliseconds since 1970.
    package var milliseconds: Int64 { Int64(bounded: (timeIntervalSince1970 * 1000).rounded()) }
}
