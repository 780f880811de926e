import Foundation
import TVEModels

/// A request of REST API v2 whose token, service provider and headers are valid.
struct RESTv2Call {
    let state: SandboxState
    let request: SandboxRequest
    let clientID: String
    let serviceProvider: SandboxWorld.Requestor
    /// The decoded device id; `nil` when the request has none and the endpoint does not need it.
    let deviceID: String?
    /// The status of the platform's sign-on that the app reports.
    let platform: PartnerStatus?
    let identities: [SharedIdentity]

    init(
        _ state: SandboxState, _ request: SandboxRequest, at endpoint: RESTv2Router.Endpoint,
        serviceProvider: RequestorID
    ) throws(SandboxRefusal) {
        self.state = state
        self.request = request
        clientID = try ClientRegistration.client(state, request)
        guard let requestor = state.requestor(serviceProvider) else {
            throw .enhanced("invalid_parameter_service_provider")
        }
        self.serviceProvider = requestor
        switch endpoint {
        case .configuration, .resumeSession, .session, .profileOfCode, .authenticate:
            deviceID = Self.identifier(request.header("AP-Device-Identifier"))
        default:
            guard let id = Self.identifier(request.header("AP-Device-Identifier")) else {
                throw .enhanced("invalid_header_device_identifier")
            }
            guard Self.isBase64(request.header("X-Device-Info")) else { throw .enhanced("invalid_header_device_info") }
            deviceID = id
        }
        platform = request.header("AP-Partner-Framework-Status").map(PartnerStatus.init)
        identities = Self.identities(of: request, from: deviceID ?? "", for: serviceProvider, state)
    }

    /// The owner of the profiles that the caller may see.
    var owner: ProfileOwner {
        ProfileOwner(clientID: clientID, deviceID: deviceID ?? "", serviceProvider: serviceProvider.id)
    }

    /// Returns the MVPD that a path or a form names, and refuses the request when the service provider does not work
    /// with it.
    func provider(_ mvpdID: MVPDID) throws(SandboxRefusal) -> SandboxWorld.Provider {
        guard state.world.provider(mvpdID) != nil else {
            throw .enhanced("invalid_parameter_mvpd")
        }
        guard let provider = state.provider(mvpdID, of: serviceProvider.id) else {
            throw .enhanced("invalid_integration")
        }
        return provider
    }

    /// Refuses a redirect URL that is not registered for the application, in a strict sandbox.
    func check(_ redirect: String) throws(SandboxRefusal) {
        guard state.world.behavior.isStrict else { return }
        let client = state.withTables { tables, _ in tables.clients[ExactText(clientID)] }
        let registered = client.map(state.redirects) ?? []
        guard !registered.isEmpty, !RedirectURL.isRegistered(redirect, among: registered) else { return }
        throw Objection(
            "The redirect is not registered for the application: \(Objection.quoted(redirect)).",
            "invalid_parameter_redirect_url"
        ).refusal
    }

    /// Returns a URL for an answer, relative or absolute depending on the variant of the service.
    func link(_ path: String) -> String {
        state.world.behavior.restV2.usesAbsoluteURLs ? "\(request.base)\(path)" : path
    }

    /// The app's identity of the viewer for a promotional TempPass; `nil` when it is missing or cannot be read.
    var temporaryIdentity: [String: MetadataValue]? {
        request.header("AP-TempPass-Identity").flatMap { Data(base64Encoded: $0) }
            .flatMap { try? UntrustedJSON.read([String: MetadataValue].self, from: $0, .small) }
    }

    /// Returns the device id in a header that contains `fingerprint` and the Base64 of a text; `nil` for any other
    /// header.
    static func identifier(_ header: String?) -> String? {
        let parts = header?.parts(separatedBy: " ", keepsEmpty: false) ?? []
        guard parts.count == 2, parts[0] == "fingerprint", let bytes = Data(base64Encoded: String(parts[1])) else {
            return nil
        }
        // Most device ids are texts. Other bytes stay encoded.
        let text = String(validUTF8: bytes) ?? String(parts[1])
        return text.isEmpty ? nil : text
    }

    /// Returns a Boolean value that indicates whether a header has a value in Base64.
    ///
    /// The content does not matter, because the JSON in nearly all samples of the vendor's pages lacks a comma. A
    /// strict sandbox compares it with the document.
    private static func isBase64(_ header: String?) -> Bool {
        header.flatMap { Data(base64Encoded: $0) }?.isEmpty == false
    }

    /// Returns the identities of the viewer that the request proves with tokens.
    ///
    /// A token is ignored when it cannot be read, has ended, or was taken from its device.
    private static func identities(
        of request: SandboxRequest, from deviceID: String, for requestorID: RequestorID, _ state: SandboxState
    ) -> [SharedIdentity] {
        [
            ("Adobe-Subject-Token", SharedIdentity.Kind.platformSSO),
            ("X-Roku-Reserved-Roku-Connect-Token", .platformSSO), ("AD-Service-Token", .serviceTokenSSO),
        ].compactMap { name, kind in
            guard let token = request.header(name), let subject = state.find({ Self.subject(of: token, at: $1) })
            else { return nil }
            // Only the tokens of the sandbox's own single sign-on service can be checked.
            guard subject.issuer == HouseholdRoutes.issuer else {
                return SharedIdentity(kind: kind, subject: subject.name)
            }
            let household = state.withTables { tables, now in
                tables.households.household(provenBy: token, deviceID: deviceID, at: now)
            }
            guard let household, household.requestorID == requestorID else { return nil }
            return SharedIdentity(kind: kind, subject: household.subject)
        }
    }

    /// Returns the subject and the issuer of a JWS that has not ended; `nil` for any other text.
    ///
    /// The signature is not checked, because the sandbox does not have the issuer's key.
    private static func subject(of token: String, at now: Date) -> (name: String, issuer: String?)? {
        struct Claims: Decodable {
            let sub: String
            let iss: String?
            let exp: Double?
        }
        let parts = token.parts(separatedBy: ".")
        guard parts.count == 3, let claims = Data(base64URL: parts[1]) else { return nil }
        let read = try? UntrustedJSON.decode(Claims.self, from: claims, .small)
        guard let read, read.exp.map({ $0 > now.timeIntervalSince1970 }) ?? true else { return nil }
        return (read.sub, read.iss)
    }
}
