public import Foundation
public import TVEModels

/// A reader of the service's answers to requests for tokens (wire protocol, session, authorize, short authorize).
public struct ServiceAnswerReader: Sendable {
    /// The limits of answers.
    public var policy: XMLPolicy

    /// Creates a reader.
    ///
    /// - Parameter policy: the limits of answers.
    public init(policy: XMLPolicy = .answer) {
        self.policy = policy
    }

    /// Reads the answer of `session` or `sessionDevice`.
    ///
    /// - Parameter body: the bytes of the answer.
    /// - Returns: the AuthN token's text, a denial, or the signal that the session has ended.
    /// - Throws: any `TokenCodecError` about the XML, or `.missingElement` if the answer is none of these.
    public func session(_ body: Data) throws(TokenCodecError) -> ServiceAnswer {
        try read(try XMLTree(parsing: body.fromXMLDeclaration, policy), token: "authnToken")
    }

    /// Reads the answer of `authorize` or `authorizeDevice`.
    ///
    /// - Parameter body: the bytes of the answer.
    /// - Returns: the AuthZ token's text, a denial, or the signal that the session has ended.
    /// - Throws: any `TokenCodecError` about the XML, or `.missingElement` if the answer is none of these.
    public func authorization(_ body: Data) throws(TokenCodecError) -> ServiceAnswer {
        try read(try XMLTree(parsing: body.fromXMLDeclaration, policy), token: "authzToken")
    }

    /// Reads the answer of `shortAuthorize` or `deviceShortAuthorize`, which is the bare media token, or XML after a
    /// failure.
    ///
    /// - Parameter body: the bytes of the answer.
    /// - Returns: the media token's text, a denial, or the signal that the session has ended.
    /// - Throws: any `TokenCodecError` about the XML, `.empty` for an empty answer, or `.missingElement` if the answer
    ///   is none of these.
    public func mediaToken(_ body: Data) throws(TokenCodecError) -> ServiceAnswer {
        // Neither a byte order mark nor a line end belongs to the token.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let token = (body.starts(with: mark) ? body.dropFirst(mark.count) : body).insideXMLSpace
        guard token.starts(with: "<signatureInfo>".utf8) else {
            return try read(try XMLTree(parsing: body.fromXMLDeclaration, policy), token: "mediaToken")
        }
        guard let text = String(validUTF8: token) else {
            throw .invalidUTF8(offset: body.withSpan(UTF8Check.firstInvalidOffset) ?? 0)
        }
        return .token(TokenText(text), userMetadata: nil)
    }

    /// Reads the answer of `preauthorize`.
    ///
    /// - Parameter body: the bytes of the answer.
    /// - Returns: the decisions that can be read about the resources that have an id, a denial of the whole request, or
    ///   the signal that the session has ended.
    /// - Throws: any `TokenCodecError` about the XML, or `.missingElement` if the answer is none of these or none of
    ///   its decisions about resources with an id can be read.
    public func preauthorization(_ body: Data) throws(TokenCodecError) -> PreauthorizationAnswer {
        let root = try XMLTree(parsing: body.fromXMLDeclaration, policy)
        if let signal = pendingLogout(in: root) { return .pendingLogout(signal) }
        if let denial = denial(in: root) { return .denied(denial) }
        guard root.name == "resources" else { throw .missingElement("resources") }
        var decisions: [PreauthorizationDecision] = []
        var hasUnreadableDecision = false
        // The decision about a resource of white space, or one that cannot be read, must not lose the others.
        for resource in root.children where resource.name == "resource" {
            guard let id = resource.value("id") else { continue }
            let isAuthorized = resource.first("authorized")?.yesOrNo
            let error = resource.first("error").map(self.error)
            // Without a yes or a no, only an error that says what it is makes the entry a decision.
            guard isAuthorized != nil || error?.code != nil else {
                hasUnreadableDecision = true
                continue
            }
            decisions.append(
                PreauthorizationDecision(resource: Resource(id), isAuthorized: isAuthorized ?? false, error: error))
        }
        if decisions.isEmpty, hasUnreadableDecision { throw .missingElement("authorized") }
        return .decisions(decisions)
    }

    private func error(_ element: XMLTree) -> EnhancedError {
        EnhancedError(
            status: element.value("status").flatMap { Int($0) }, code: element.value("code"),
            message: element.value("message"), details: element.value("details"), helpURL: element.value("helpUrl"),
            trace: element.value("trace"), action: element.value("action"))
    }

    private func read(_ root: XMLTree, token name: String) throws(TokenCodecError) -> ServiceAnswer {
        if let signal = pendingLogout(in: root) { return .pendingLogout(signal) }
        if let denial = denial(in: root) { return .denied(denial) }
        guard let text = root.value(name) else { throw .missingElement(name) }
        return .token(TokenText(text), userMetadata: root.value("userMeta"))
    }

    /// Returns the signal, which may be anywhere and takes precedence over the rest of the answer.
    private func pendingLogout(in root: XMLTree) -> PendingLogout? {
        guard let signal = root.firstDescendant("pendingLogout"), signal.yesOrNo != false else { return nil }
        return PendingLogout(reason: signal.attributes["reason"])
    }

    private func denial(in root: XMLTree) -> AuthorizationDenial? {
        guard root.name == "error", let code = root.children.first else { return nil }
        return AuthorizationDenial(code: code.name, details: root.value("details"))
    }
}

extension XMLTree {
    /// The text without the white space around it, which is not part of a value.
    fileprivate var value: String { String(decoding: text.utf8.insideXMLSpace, as: UTF8.self) }

    /// The value if it is `true` or `false` in any case, `1` or `0`, or nil for any other.
    fileprivate var yesOrNo: Bool? {
        let word = value.lowercasedASCII
        return ["true", "1"].contains(word) ? true : ["false", "0"].contains(word) ? false : nil
    }

    /// Returns the value of a child, or nil if the child is missing or empty.
    fileprivate func value(_ name: String) -> String? {
        first(name).flatMap { $0.value.isEmpty ? nil : $0.value }
    }
}

/// The service's answer to a request for a token.
public enum ServiceAnswer: Sendable, Hashable, Redacting {
    /// The text of a signed token, and the JSON of the viewer's metadata if the answer contains any.
    case token(TokenText, userMetadata: String?)
    /// The TV provider denied the request.
    case denied(AuthorizationDenial)
    /// The session has ended.
    case pendingLogout(PendingLogout)

    /// The name of the answer, without the token, the viewer's metadata and the provider's text for the viewer.
    public var redactedDescription: String {
        switch self {
        case .token: "token"
        case .denied(let denial): "denied(\(denial.code))"
        case .pendingLogout(let signal): "pendingLogout(\(signal))"
        }
    }
}

/// The service's answer to a preauthorization.
public enum PreauthorizationAnswer: Sendable, Hashable {
    /// One decision per resource, in the service's order.
    case decisions([PreauthorizationDecision])
    /// The whole request was refused.
    case denied(AuthorizationDenial)
    /// The session has ended.
    case pendingLogout(PendingLogout)
}
