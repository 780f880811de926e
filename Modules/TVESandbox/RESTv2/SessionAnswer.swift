import Foundation
import TVEModels

/// The answer about an authentication session that was created or continued.
struct SessionAnswer: Encodable {
    var actionName: String
    var actionType: String
    var reasonType: String
    var missingParameters: [String]?
    var url: String
    var code: String?
    let sessionId: String
    var mvpd: String?
    let serviceProvider: String
    var notBefore: String?
    var notAfter: String?
    var authenticationRequest: AuthenticationRequest?

    struct AuthenticationRequest: Encodable {
        var type = "saml"
        let request: String
        var attributesNames = ["uid", "NameID"]
    }

    /// A session that waits for its viewer.
    init(_ record: RegistrationCode, _ call: RESTv2Call) {
        let missing = record.missingParameters
        actionName = "authenticate"
        actionType = "interactive"
        reasonType = "none"
        missingParameters = missing.isEmpty ? nil : missing
        url = call.link("/api/v2/authenticate/\(ProviderPages.segment(record.requestorID))/\(record.code)")
        code = record.code
        sessionId = record.id
        mvpd = record.mvpdID
        serviceProvider = record.requestorID
        // Strings here, numbers everywhere else, as in the samples.
        notBefore = String(record.generated.milliseconds)
        notAfter = String(record.expires.milliseconds)
    }

    /// An answer without a session to wait for.
    init(_ actionName: String, _ call: RESTv2Call, _ mvpdID: String, reason: String, path: String) {
        self.actionName = actionName
        actionType = "direct"
        reasonType = reason
        url = call.link("/api/v2/\(ProviderPages.segment(call.serviceProvider.id))/\(path)")
        sessionId = UUID().uuidString.lowercased()
        mvpd = mvpdID
        serviceProvider = call.serviceProvider.id
    }

    static func authorize(_ call: RESTv2Call, _ mvpdID: String, reason: String) -> SessionAnswer {
        SessionAnswer(
            "authorize", call, mvpdID, reason: reason,
            path: "decisions/authorize/\(ProviderPages.segment(mvpdID))")
    }
}

/// The answer about an authentication session to a request with its code.
struct SessionStateAnswer: Encodable {
    struct Device: Encodable {
        let type: String?
        let model: String?
        let applicationId: String?
    }

    private let existing: [String: String]
    private let missing: [String]
    private let device: Device
    private let notBefore: String
    private let notAfter: String
    private let usesOtherSpelling: Bool

    init(_ record: RegistrationCode, usesOtherSpelling: Bool) {
        var existing = ["serviceProvider": record.requestorID]
        existing["mvpd"] = record.mvpdID
        existing[usesOtherSpelling ? "domain" : "domainName"] = record.session?.domainName
        existing["redirectUrl"] = record.session?.redirectURL
        self.existing = existing
        missing = record.missingParameters.map { usesOtherSpelling && $0 == "domainName" ? "domain" : $0 }
        let facts = Data(base64Encoded: record.deviceInfo)
            .flatMap { try? OutsideJSON.decode(Facts.self, from: $0, .small) }
        device = Device(
            type: facts?.primaryHardwareType ?? facts?.type, model: facts?.model, applicationId: facts?.applicationId)
        notBefore = String(record.generated.milliseconds)
        notAfter = String(record.expires.milliseconds)
        self.usesOtherSpelling = usesOtherSpelling
    }

    private struct Facts: Decodable {
        let primaryHardwareType: String?
        /// One snippet of the documents has this name.
        let type: String?
        let model: String?
        let applicationId: String?
    }

    private enum CodingKeys: String, CodingKey {
        case existingParameters, missingParameters, parameters, existing, missing, device, notBefore, notAfter
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        if usesOtherSpelling {
            var parameters = values.nestedContainer(keyedBy: CodingKeys.self, forKey: .parameters)
            try parameters.encode(existing, forKey: .existing)
            try parameters.encode(missing, forKey: .missing)
        } else {
            try values.encode(existing, forKey: .existingParameters)
            if !missing.isEmpty { try values.encode(missing, forKey: .missingParameters) }
        }
        try values.encode(device, forKey: .device)
        try values.encode(notBefore, forKey: .notBefore)
        try values.encode(notAfter, forKey: .notAfter)
    }
}

extension RegistrationCode {
    /// The parameters that a login still needs.
    var missingParameters: [String] {
        [("mvpd", mvpdID), ("domainName", session?.domainName), ("redirectUrl", session?.redirectURL)]
            .filter { $0.1 == nil }.map(\.0)
    }
}

extension Date {
    /// Milliseconds since 1970.
    var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }
}
