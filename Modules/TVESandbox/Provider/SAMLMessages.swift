import FlyingFox
import Foundation
import TVEModels
import TVETokenCodec

/// The messages between the service and the provider.
///
/// They have the form of SAML. A seal with the sandbox's own secret replaces the XML signature, because both ends are
/// in this process.
enum SAMLMessages {
    /// The provider's answer to a login request.
    struct Answer {
        let requestID: String
        let mvpdID: MVPDID
        /// The name of the viewer; `nil` when the viewer has cancelled the login.
        let viewer: String?
    }

    /// Returns the answer that sends the browser to the provider's login, by a form or by a redirect.
    static func toProvider(_ provider: SandboxWorld.Provider, requestID: String, relayState: String) -> HTTPResponse {
        let message =
            "<samlp:AuthnRequest xmlns:samlp=\"urn:oasis:names:tc:SAML:2.0:protocol\""
            + " ID=\"\(requestID)\" Version=\"2.0\"/>"
        let request = Data(message.utf8).base64EncodedString()
        let address = "/idp/\(provider.id.text.escapedForPath)/sso"
        if provider.login == .redirect {
            let encoded = request.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            return .redirect("\(address)?SAMLRequest=\(encoded)&RelayState=\(relayState)")
        }
        return Page.autoPost(
            to: address, ["SAMLRequest": request, "RelayState": relayState], "Continue to \(provider.displayName)")
    }

    /// Returns the id of a login request; `nil` for a text that is no login request.
    static func requestID(_ request: String) -> String? {
        guard let bytes = Data(base64Encoded: request), let root = try? XMLTree(parsing: bytes, .token),
            root.name == "AuthnRequest"
        else { return nil }
        return root.attributes["ID"]
    }

    /// Returns the page that sends the browser back to the service with the provider's answer.
    static func toService(_ answer: Answer, relayState: String, _ state: SandboxState) -> HTTPResponse {
        let status = answer.viewer == nil ? "AuthnFailed" : "Success"
        let name = answer.viewer.map { "<NameID>\($0.escapedForXML)</NameID>" } ?? ""
        let response =
            "<samlp:Response xmlns:samlp=\"urn:oasis:names:tc:SAML:2.0:protocol\""
            + " InResponseTo=\"\(answer.requestID.escapedForXML)\">"
            + "<Issuer>\(answer.mvpdID.text.escapedForXML)</Issuer><Status>\(status)</Status>\(name)"
            + "<SignatureValue>\(state.seal(content(answer)))</SignatureValue></samlp:Response>"
        return Page.autoPost(
            to: "/sp/saml/SAMLAssertionConsumer",
            ["SAMLResponse": Data(response.utf8).base64EncodedString(), "RelayState": relayState], "Continue")
    }

    /// Parses a provider's answer; returns `nil` when its seal is not valid.
    static func answer(_ response: String, _ state: SandboxState) -> Answer? {
        guard let bytes = Data(base64Encoded: response), let root = try? XMLTree(parsing: bytes, .token),
            root.name == "Response", let requestID = root.attributes["InResponseTo"],
            let issuer = root.first("Issuer")?.text, let seal = root.first("SignatureValue")?.text
        else { return nil }
        let answer = Answer(requestID: requestID, mvpdID: MVPDID(issuer), viewer: root.first("NameID")?.text)
        return state.isSeal(seal, of: content(answer)) ? answer : nil
    }

    /// Returns the content that the seal covers.
    ///
    /// Each value follows its length, so that the values cannot run into each other.
    private static func content(_ answer: Answer) -> String {
        SandboxState.key(answer.requestID, answer.mvpdID.text, answer.viewer.map { "+\($0)" } ?? "-")
    }
}
