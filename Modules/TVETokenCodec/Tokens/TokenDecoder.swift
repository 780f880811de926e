package import Foundation
public import TVEModels

/// A decoder that parses signed tokens into values, and returns the unchanged text with them.
///
/// Parsing proves nothing about the signer of a token. Clients never verify signatures, and back ends use
/// `MediaTokenVerifier` of the module `TVETokenVerification`.
public struct TokenDecoder: Sendable {
    /// The limits of token bodies.
    public var policy: XMLPolicy

    /// Creates a decoder.
    ///
    /// - Parameter policy: the limits of token bodies. The default fits every real token.
    public init(policy: XMLPolicy = .token) {
        self.policy = policy
    }

    /// Parses an AuthN token.
    ///
    /// - Parameter text: the token, raw or wrapped in Base64.
    /// - Returns: the raw text and its claims.
    /// - Throws: any `TokenCodecError`, which names the element or the fault but never contains the token's text.
    public func authenticationToken(_ text: String) throws(TokenCodecError) -> AuthenticationToken {
        let raw = try unwrapped(text)
        return try XMLReader.withReader(of: raw.utf8) { reader throws(TokenCodecError) in
            _ = try parseBody(&reader)
            return AuthenticationToken(text: TokenText(raw), claims: try Self.authenticationClaims(reader.document))
        }
    }

    /// Parses an AuthZ token.
    ///
    /// - Parameter text: the token, raw or wrapped in Base64.
    /// - Returns: the raw text and its claims.
    /// - Throws: any `TokenCodecError`, which names the element or the fault but never contains the token's text.
    public func authorizationToken(_ text: String) throws(TokenCodecError) -> AuthorizationToken {
        let raw = try unwrapped(text)
        return try XMLReader.withReader(of: raw.utf8) { reader throws(TokenCodecError) in
            _ = try parseBody(&reader)
            return AuthorizationToken(text: TokenText(raw), claims: try Self.authorizationClaims(reader.document))
        }
    }

    /// Parses a media token.
    ///
    /// - Parameter text: the token, raw or wrapped in Base64.
    /// - Returns: the raw text and its claims.
    /// - Throws: any `TokenCodecError`, which names the element or the fault but never contains the token's text.
    public func mediaToken(_ text: String) throws(TokenCodecError) -> MediaToken {
        let raw = try unwrapped(text)
        return try XMLReader.withReader(of: raw.utf8) { reader throws(TokenCodecError) in
            _ = try parseBody(&reader)
            return MediaToken(text: TokenText(raw), claims: try Self.mediaClaims(reader.document))
        }
    }

    /// Parses a media token into its claims and the values that a verifier needs.
    ///
    /// - Parameters:
    ///   - text: the token, raw or wrapped in Base64.
    ///   - digest: returns a digest of the signed bytes.
    /// - Returns: the claims, the signature and the digest.
    /// - Throws: any `TokenCodecError`, which names the element or the fault but never contains the token's text.
    package func signedMediaClaims<Digest>(
        _ text: String, digest: (Span<UInt8>) -> Digest
    ) throws(TokenCodecError) -> (claims: MediaToken.Claims, signature: Data, digest: Digest) {
        try XMLReader.withReader(of: try unwrapped(text).utf8) { reader throws(TokenCodecError) in
            let bodyStart = try parseBody(&reader)
            let claims = try Self.mediaClaims(reader.document)
            let signed = reader.withSource { digest($0.extracting(droppingFirst: bodyStart)) }
            return (claims, reader.withSignature { Data($0) }, signed)
        }
    }

    private func unwrapped(_ text: String) throws(TokenCodecError) -> String {
        // Base64 turns three bytes into four, and the envelope adds a signature. Twice the body's limit covers both.
        guard text.utf8.count / 2 <= policy.maximumBytes else { throw .tooLarge(limit: policy.maximumBytes) }
        return try TokenEnvelope.unwrapped(text)
    }

    /// Splits the token in a reader, and parses its body into the reader's document.
    ///
    /// - Returns: the offset of the body.
    private func parseBody(_ reader: inout XMLReader) throws(TokenCodecError) -> Int {
        let bodyStart = try TokenEnvelope.split(&reader)
        // A token is one element from its first byte to its last, without a declaration and without blanks around it.
        let isOneElement = reader.withSource { bytes in
            bytes[bodyStart] == UInt8(ascii: "<") && bytes[bytes.count - 1] == UInt8(ascii: ">")
                && bytes.count > bodyStart + 1 && bytes[bodyStart + 1] != UInt8(ascii: "?")
        }
        guard isOneElement else { throw .envelope(.strayBytes) }
        do throws(TokenCodecError) {
            try reader.parse(from: bodyStart, policy)
        } catch .malformedXML(code: XMLParser.contentAfterRoot, _) {
            throw .envelope(.secondBody)
        }
        return bodyStart
    }
}
