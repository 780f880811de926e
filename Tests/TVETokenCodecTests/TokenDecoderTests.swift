import Foundation
import TVEModels
import TVETestTraits
import TVETokenCodec
import Testing

struct TokenDecoderTests {
    private let decoder = TokenDecoder()

    @Test(.row("wire protocol, 6.2")) func readsAnAuthenticationToken_andWritesItBackByteForByte() throws {
        let token = try decoder.authenticationToken(TokenSamples.authentication)
        #expect(token.text.rawValue == TokenSamples.authentication)
        let claims = token.claims
        #expect(claims.authenticationGUID == "00000000-1111-2222-3333-444444444444")
        #expect(claims.samlSessionIndex == "aW5kZXg=")
        #expect(claims.samlNameID == "bmFtZQ==")
        #expect(claims.requestorID == "SBX" && claims.mvpdID == "sbx-cable" && claims.domainName == "adobe.com")
        #expect(claims.expires == TokenDate(secondsSince1970: 1_797_874_200, utcOffsetMinutes: -480))
        #expect(claims.fingerprint == "fb9d78c9487a5857b617c0ff5b45198f532c639d")
        #expect(claims.timeToLive == 2_592_000)
        #expect(claims.fragments == nil && claims.subMVPDID == nil)
        #expect(TokenWriter.body(claims) == TokenSamples.authenticationBody)
    }

    @Test(.row("wire protocol, 6.2")) func readsTheFragmentsOfWebTokens_andWritesThemBack() throws {
        var claims = try decoder.authenticationToken(TokenSamples.authentication).claims
        claims.fragments = .init(browser: "b", platform: "p", vendor: "v", address: "a")
        claims.subMVPDID = "sub"
        let again = try decoder.authenticationToken(TokenSamples.token(TokenWriter.body(claims)))
        #expect(again.claims == claims)
    }

    /// The provider behind a proxy is in the tokens for a resource and for a playback.
    @Test func readsTheProvidersBehindAProxy_andWritesThemBack() throws {
        let authorizationBody = TokenSamples.authorizationBody.replacing(
            "<simpleTokenDeviceID>", with: "<simpleTokenSubMvpdID>sub</simpleTokenSubMvpdID><simpleTokenDeviceID>")
        let authorization = try decoder.authorizationToken(TokenSamples.token(authorizationBody)).claims
        #expect(authorization.subMVPDID == "sub" && authorization.mvpdID == "sbx-cable")
        let again = try decoder.authorizationToken(TokenSamples.token(TokenWriter.body(authorization))).claims
        #expect(again == authorization)
        let mediaBody = TokenSamples.mediaBody.replacing(
            "</authToken>", with: "<proxyMvpdId>proxy</proxyMvpdId></authToken>")
        let media = try decoder.mediaToken(TokenSamples.token(mediaBody)).claims
        #expect(media.proxyMVPDID == "proxy" && media.mvpdID == "sbx-cable")
        #expect(TokenWriter.body(media) == mediaBody)
    }

    /// A signed body may have 256 KB at most.
    @Test(arguments: [0, 1]) func refusesABodyOfMoreThan256KB(tooMany: Int) throws {
        let room = 256 * 1024 - TokenSamples.mediaBody.utf8.count + "SBX-1".utf8.count
        let body = TokenSamples.mediaBody.replacing("SBX-1", with: String(repeating: "x", count: room + tooMany))
        let result = Result { () throws(TokenCodecError) in try decoder.mediaToken(TokenSamples.token(body)) }
        #expect(
            result.map { $0.claims.mvpdID }
                == (tooMany == 0 ? .success("sbx-cable") : .failure(.tooLarge(limit: 262_144))))
    }

    @Test(.row("wire protocol, 6.2")) func readsTheLineUp_andTheOtherOptionalElements() throws {
        var claims = try decoder.authenticationToken(TokenSamples.authentication).claims
        claims.transientPartOfGUID = "t"
        claims.authorizesAll = true
        claims.authorizedResources = ["A&\"B", "", " \t\r\n "]
        #expect(try decoder.authenticationToken(TokenSamples.token(TokenWriter.body(claims))).claims == claims)
        claims.authorizedResources = []
        #expect(try decoder.authenticationToken(TokenSamples.token(TokenWriter.body(claims))).claims == claims)
        var authorization = try decoder.authorizationToken(TokenSamples.authorization).claims
        authorization.authorizesAll = true
        let again = try decoder.authorizationToken(TokenSamples.token(TokenWriter.body(authorization))).claims
        #expect(again == authorization)
    }

    @Test(arguments: [
        (" ", "", TokenCodecError.envelope(.strayBytes)),
        ("", "\u{2028}", .envelope(.strayBytes)), ("", "x", .envelope(.strayBytes)),
        ("<?xml version=\"1.0\"?>", "", .envelope(.strayBytes)), ("\u{FEFF}", "", .envelope(.strayBytes)),
        ("", "<authToken/>", .envelope(.secondBody)), ("", "<b></b>", .envelope(.secondBody)),
        ("", "<!-- c -->", .markupForbidden),
    ])
    func refusesAnythingAroundTheElement(before: String, after: String, error: TokenCodecError) {
        let token = TokenSamples.token(before + TokenSamples.mediaBody + after)
        #expect(throws: error) { try decoder.mediaToken(token) }
    }

    @Test(.row("wire protocol, 6.3")) func readsAnAuthorizationToken_andWritesItBackByteForByte() throws {
        let claims = try decoder.authorizationToken(TokenSamples.authorization).claims
        #expect(claims.resource == "SBX-1" && claims.requestorID == "SBX" && claims.mvpdID == "sbx-cable")
        #expect(claims.expires.secondsSince1970 == 1_795_368_600)
        #expect(TokenWriter.body(claims) == TokenSamples.authorizationBody)
    }

    @Test(.row("wire protocol, 6.4")) func readsAMediaToken_andWritesItBackByteForByte() throws {
        let claims = try decoder.mediaToken(TokenSamples.media).claims
        #expect(claims.timeToLive == 420_000 && claims.resource == "SBX-1" && claims.proxyMVPDID == nil)
        #expect(claims.expires.timeIntervalSince(claims.issued.date) == 420)
        #expect(TokenWriter.body(claims) == TokenSamples.mediaBody)
    }

    /// Unsigned tokens are read too, so a lifetime that fits an integer must fit every sum with a date.
    @Test(arguments: [("3155760000000", true), ("3155760000001", false), ("9223372036854775807", false), ("0", true)])
    func boundsTheLifetime_ofAMediaToken(milliseconds: String, isRead: Bool) {
        let body = TokenSamples.mediaBody.replacing("<ttl>420000<", with: "<ttl>\(milliseconds)<")
        let claims = Result { () throws(TokenCodecError) in try decoder.mediaToken(TokenSamples.token(body)).claims }
        #expect(
            claims.map { "\($0.timeToLive)" } == (isRead ? .success(milliseconds) : .failure(.invalidNumber("ttl"))))
    }

    @Test(arguments: [("3155760000", true), ("3155760001", false), ("9223372036854775807", false), ("0", true)])
    func boundsTheLifetime_ofAnAuthenticationToken(seconds: String, isRead: Bool) {
        let body = TokenSamples.authenticationBody.replacing("<ttl>2592000<", with: "<ttl>\(seconds)<")
        let claims = Result { () throws(TokenCodecError) in
            try decoder.authenticationToken(TokenSamples.token(body)).claims
        }
        let lifetime = claims.map { $0.timeToLive.map(String.init) }
        #expect(lifetime == (isRead ? .success(seconds) : .failure(.invalidNumber("ttl"))))
    }

    @Test func readsTheDocumentedRootOfMediaTokens() throws {
        let body = TokenSamples.mediaBody.replacing("authToken>", with: "shortAuthorizationToken>")
        #expect(try decoder.mediaToken(TokenSamples.token(body)).claims.requestorID == "SBX")
    }

    @Test(
        .row("wire protocol, 6.3"),
        arguments: [
            Resource.mrss(channel: "A & B", item: .init(title: "x")), "<rss>]]></rss>", "]]>]]><", "a&b", "plain",
            "<a>\r\n\t</a>", " \r\t\n ", "\u{FEFF}\u{FFFC}",
            "<a>]]>\u{301}</a>", "<\u{301}",
        ])
    func keepsAnyResource_throughWritingAndReading(resource: Resource) throws {
        var claims = try decoder.mediaToken(TokenSamples.media).claims
        claims.resource = resource
        #expect(try decoder.mediaToken(TokenSamples.token(TokenWriter.body(claims))).claims.resource == resource)
        var authorization = try decoder.authorizationToken(TokenSamples.authorization).claims
        authorization.resource = resource
        let again = try decoder.authorizationToken(TokenSamples.token(TokenWriter.body(authorization)))
        #expect(again.claims.resource == resource)
    }

    @Test(arguments: [
        ("a\u{1}b", "a\u{FFFD}b"), ("<a>\u{0}\u{1F}</a>", "<a>\u{FFFD}\u{FFFD}</a>"),
        ("<a>\u{FFFE}\r\u{FFFF}</a>", "<a>\u{FFFD}\r\u{FFFD}</a>"),
    ])
    func replacesWhatXMLForbids_inEveryResource(text: String, written: String) throws {
        var claims = try decoder.mediaToken(TokenSamples.media).claims
        claims.resource = Resource(text)
        let again = try decoder.mediaToken(TokenSamples.token(TokenWriter.body(claims)))
        #expect(again.claims.resource == Resource(written))
    }

    @Test(.row("wire protocol, 6.4")) func wrapsAnInnerEndOfCDATA_asOnTheWire() throws {
        var claims = try decoder.mediaToken(TokenSamples.media).claims
        claims.resource = "<a>]]></a>"
        #expect(TokenWriter.body(claims).contains("<resourceID><![CDATA[<a>]]]]>><![CDATA[</a>]]></resourceID>"))
    }

    @Test(.row("wire protocol, 6.2")) func ignoresOrder_andSkipsUnknownElements() throws {
        let body = """
            <authToken><new><deep>x</deep></new><mvpdId>m</mvpdId><issueTime>2026-11-21 09:30:00 +0000</issueTime>\
            <ttl>1</ttl><resourceID>r</resourceID><requestorID>q</requestorID><sessionGUID>s</sessionGUID></authToken>
            """
        #expect(try decoder.mediaToken(TokenSamples.token(body)).claims.mvpdID == "m")
    }

    @Test(arguments: [
        ("<ttl>420000</ttl>", "", TokenCodecError.missingElement("ttl")),
        ("<mvpdId>sbx-cable</mvpdId>", "<mvpdId></mvpdId>", .missingElement("mvpdId")),
        ("<ttl>420000</ttl>", "<ttl>1</ttl><ttl>1</ttl>", .duplicateElement("ttl")),
        ("<ttl>420000</ttl>", "<ttl>-1</ttl>", .invalidNumber("ttl")), ("420000", "1e3", .invalidNumber("ttl")),
        ("420000", "99999999999999999999", .invalidNumber("ttl")),
        ("2026-11-21", "2026-11-31", .invalidDate("issueTime")),
        ("SBX-1", "SBX<b/>-1", .unexpectedContent("resourceID")),
        ("<requestorID>", "<requestorID a=\"1\">", .unexpectedContent("requestorID")),
        (
            "<requestorID>SBX</requestorID>", "<q:requestorID xmlns:q=\"u\">SBX</q:requestorID>",
            .unexpectedContent("requestorID")
        ),
        ("<requestorID>", "text<requestorID>", .unexpectedContent("authToken")),
        ("<authToken>", "<authToken a=\"1\">", .unexpectedContent("authToken")),
        ("SBX-1", "SBX<!-- c -->-1", .markupForbidden), ("SBX-1", "SBX<?p?>-1", .markupForbidden),
        ("authToken>", "otherToken>", .unexpectedRoot(expected: "authToken")),
    ])
    func refusesAChangedToken(old: String, new: String, error: TokenCodecError) {
        let body = TokenSamples.mediaBody.replacing(old, with: new)
        #expect(throws: error) { try decoder.mediaToken(TokenSamples.token(body)) }
    }

    enum Kind: Sendable { case login, permission, media }

    /// The elements without which a token does not say who may watch what, or until when.
    private static let required: [(String, Kind)] = [
        ("simpleTokenAuthenticationGuid", .login), ("simpleTokenRequestorID", .login),
        ("simpleTokenDomainName", .login), ("simpleTokenExpires", .login), ("simpleTokenMsoID", .login),
        ("simpleTokenFingerprint", .login), ("simpleTokenRequestorID", .permission),
        ("simpleTokenResourceID", .permission), ("simpleTokenTTL", .permission),
        ("simpleTokenMsoID", .permission), ("sessionGUID", .media), ("requestorID", .media),
        ("resourceID", .media), ("ttl", .media), ("issueTime", .media), ("mvpdId", .media),
    ]

    private static func body(_ kind: Kind) -> String {
        switch kind {
        case .login: TokenSamples.authenticationBody
        case .permission: TokenSamples.authorizationBody
        case .media: TokenSamples.mediaBody
        }
    }

    private func read(_ body: String, as kind: Kind) throws(TokenCodecError) {
        let token = TokenSamples.token(body)
        switch kind {
        case .login: _ = try decoder.authenticationToken(token)
        case .permission: _ = try decoder.authorizationToken(token)
        case .media: _ = try decoder.mediaToken(token)
        }
    }

    @Test(.row("wire protocol, 6.2", "wire protocol, 6.3", "wire protocol, 6.4"), arguments: required)
    func refusesATokenThatLacksAValue(name: String, kind: Kind) throws {
        let body = Self.body(kind)
        try read(body, as: kind)
        let start = try #require(body.range(of: "<\(name)>")).lowerBound
        let end = try #require(body.range(of: "</\(name)>")).upperBound
        for replacement in ["", "<\(name)/>"] {
            let changed = body.replacingCharacters(in: start..<end, with: replacement)
            // An empty text is no number.
            let isNoNumber = name == "ttl" && !replacement.isEmpty
            let error: TokenCodecError = isNoNumber ? .invalidNumber(name) : .missingElement(name)
            #expect(throws: error) { try read(changed, as: kind) }
        }
    }

    /// A login for all resources of a requestor would need no further permission.
    @Test(arguments: [
        ("true", true), ("TRUE", true), ("false", false), ("", false), ("1", false), ("tru", false), ("trues", false),
        ("yes", false), ("tr\u{1D0}e", false),
    ])
    func authorizesAll_onlyIfTheTokenSaysTrue(text: String, authorizesAll: Bool) throws {
        func with(_ body: String) -> String {
            let next = "<simpleTokenDeviceID>"
            return TokenSamples.token(body.replacing(next, with: "<zAll>\(text)</zAll>\(next)"))
        }
        let login = try decoder.authenticationToken(with(TokenSamples.authenticationBody))
        #expect(login.claims.authorizesAll == authorizesAll)
        let permission = try decoder.authorizationToken(with(TokenSamples.authorizationBody))
        #expect(permission.claims.authorizesAll == authorizesAll)
    }

    @Test func refusesEveryTruncation() {
        for sample in [TokenSamples.authentication, TokenSamples.authorization, TokenSamples.media] {
            for length in 0..<sample.utf8.count {
                let text = String(sample.prefix(length))
                #expect(throws: TokenCodecError.self) { try decoder.authenticationToken(text) }
                #expect(throws: TokenCodecError.self) { try decoder.authorizationToken(text) }
                #expect(throws: TokenCodecError.self) { try decoder.mediaToken(text) }
            }
        }
    }

    @Test func refusesAnotherKindOfToken() {
        #expect(throws: TokenCodecError.unexpectedRoot(expected: "simpleAuthenticationToken")) {
            try decoder.authenticationToken(TokenSamples.authorization)
        }
    }

    private static let fingerprint =
        "<simpleTokenFingerprint>fb9d78c9487a5857b617c0ff5b45198f532c639d</simpleTokenFingerprint>"

    @Test(arguments: ["", "<simpleTokenFingerprint/>"])
    func readsAnAuthorizationToken_withoutAFingerprint(element: String) throws {
        let body = TokenSamples.authorizationBody.replacing(Self.fingerprint, with: element)
        #expect(try decoder.authorizationToken(TokenSamples.token(body)).claims.fingerprint == nil)
    }

    @Test func refusesAMissingResource_inAnAuthorizationToken() {
        let body = TokenSamples.authorizationBody.replacing(
            "<simpleTokenResourceID>SBX-1</simpleTokenResourceID>", with: "")
        #expect(throws: TokenCodecError.missingElement("simpleTokenResourceID")) {
            try decoder.authorizationToken(TokenSamples.token(body))
        }
    }

    @Test(.row("wire protocol, 6.2")) func refusesAMissingFingerprint_inAnAuthenticationToken() {
        let body = TokenSamples.authenticationBody.replacing(Self.fingerprint, with: "")
        #expect(throws: TokenCodecError.missingElement("simpleTokenFingerprint")) {
            try decoder.authenticationToken(TokenSamples.token(body))
        }
    }

    @Test(arguments: [("SBX", "SBX"), (Resource.mrss(channel: "A&B").text, "A&B")])
    func findsTheChannelOfAResource(text: String, channel: String) throws {
        #expect(try Resource(text).channelID() == channel)
    }

    @Test(arguments: ["", "<rss>", "<rss/>", "<rss><channel/></rss>", "<feed/>"])
    func refusesAResourceWithoutChannel(text: String) {
        #expect(throws: TokenCodecError.self) { try Resource(text).channelID() }
    }
}
