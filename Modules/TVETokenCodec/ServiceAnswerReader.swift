public import Foundation
import TVEModels

/// Reads the service's answers to requests for tokens (wire protocol, session, authorize, short authorize).
public struct ServiceAnswerReader: Sendable {
    /// Limits for answers.
    public var policy: XMLPolicy

    /// Makes a reader.
    ///
    /// - Parameter policy: limits for answers.
    public init(policy: XMLPolicy = .answer) {
        self.policy = policy
    }

    /// Reads the answer of `session` or `sessionDevice`.
    ///
    /// - Parameter body: the bytes of the answer.
    /// - Returns: the AuthN token's text, a denial, or the signal that the session is dead.
    /// - Throws: any `TokenCodecError` about the XML; `.missingElement` when the answer is none of these.
    public func session(_ body: Data) throws(TokenCodecError) -> ServiceAnswer {
        try read(try XMLTree.parse(body, policy), token: "authnToken")
    }

    /// Reads the answer of `authorize` or `authorizeDevice`.
    ///
    /// - Parameter body: the bytes of the answer.
    /// - Returns: the AuthZ token's text, a denial, or the signal that the session is dead.
    /// - Throws: any `TokenCodecError` about the XML; `.missingElement` when the answer is none of these.
    public func authorization(_ body: Data) throws(TokenCodecError) -> ServiceAnswer {
        try read(try XMLTree.parse(body, policy), token: "authzToken")
    }

    /// Reads the answer of `shortAuthorize` or `deviceShortAuthorize`: the bare media token, or XML when it failed.
    ///
    /// - Parameter body: the bytes of the answer.
    /// - Returns: the media token's text, a denial, or the signal that the session is dead.
    /// - Throws: any `TokenCodecError` about the XML, `.empty` for an empty answer, `.missingElement` when the answer is
    ///   none of these.
    public func mediaToken(_ body: Data) throws(TokenCodecError) -> ServiceAnswer {
        guard body.starts(with: "<signatureInfo>".utf8) else {
            return try read(try XMLTree.parse(body, policy), token: "mediaToken")
        }
        guard let text = String(validating: body, as: UTF8.self) else {
            throw .invalidUTF8(offset: UTF8Check.firstInvalidOffset(in: Array(body)) ?? 0)
        }
        return .token(TokenText(text), userMetadata: nil)
    }

    private func read(_ root: XMLElement, token name: String) throws(TokenCodecError) -> ServiceAnswer {
        // The signal may stand anywhere and outranks whatever else the answer says.
        if let signal = root.firstDescendant("pendingLogout"), signal.text.lowercased() != "false" {
            return .pendingLogout(PendingLogout(reason: signal.attributes["reason"]))
        }
        if root.name == "error", let code = root.children.first {
            let details = root.first("details")?.text
            return .denied(AuthorizationDenial(code: code.name, details: details?.isEmpty == true ? nil : details))
        }
        guard let text = root.first(name)?.text, !text.isEmpty else { throw .missingElement(name) }
        let metadata = root.first("userMeta")?.text
        return .token(TokenText(text), userMetadata: metadata?.isEmpty == true ? nil : metadata)
    }
}
