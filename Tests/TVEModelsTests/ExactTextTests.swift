import Foundation
import TVEModels
import Testing

/// Ids are compared as UTF-8 bytes, so a canonically equivalent text is another id.
struct ExactTextTests {
    static let lookAlikes = [
        // Kelvin sign, composed and decomposed, Ångström sign, two marks in either order.
        ("SPORT-K", "SPORT-\u{212A}"), ("caf\u{E9}", "cafe\u{301}"), ("\u{C5}", "\u{212B}"),
        ("a\u{323}\u{307}", "a\u{307}\u{323}"),
    ]

    @Test(arguments: lookAlikes)
    func tellsLookAlikesApart(one: String, other: String) throws {
        #expect(one == other, "This test is about texts that Swift takes for equal.")
        try checkIDs(RequestorID.self, one, differsFrom: other)
        try checkIDs(MVPDID.self, one, differsFrom: other)
        try checkIDs(Resource.self, one, differsFrom: other)
        try checkIDs(ExactText.self, one, differsFrom: other)
        #expect(!one.isSameBytes(as: other) && one.isSameBytes(as: one))
        #expect(!one.isSameBytesIgnoringASCIICase(as: other))
    }

    private func checkIDs<ID: OpaqueID>(_ type: ID.Type, _ one: String, differsFrom other: String) throws {
        let id = ID(one)
        let otherID = ID(other)
        #expect(id != otherID && id == ID(one) && id.hashValue == ID(one).hashValue)
        #expect(Set([id, otherID, ID(one)]).count == 2 && [otherID].contains(otherID) && ![otherID].contains(id))
        #expect("\(id)".isSameBytes(as: one))
        // As a value and as a key of a map.
        let json = try JSONEncoder().encode([id: [otherID]])
        #expect(try JSONSerialization.jsonObject(with: json) as? [String: [String]] == [one: [other]])
        #expect(try JSONDecoder().decode([ID: [ID]].self, from: json) == [id: [otherID]])
    }

    @Test(arguments: [
        ("", "", true), ("a", "A", true), ("Z@[`{", "z@[`{", true), ("@", "`", false), ("[", "{", false),
        ("k", "\u{212A}", false), ("\u{E9}", "\u{C9}", false), ("a", "", false), ("a", "ab", false),
    ])
    func ignoresTheCase_ofASCIILettersAlone(one: String, other: String, isSame: Bool) {
        #expect(one.isSameBytesIgnoringASCIICase(as: other) == isSame)
        #expect(other.isSameBytesIgnoringASCIICase(as: one) == isSame)
    }

    @Test(arguments: lookAlikes)
    func findsAProvider_byItsBytes(one: String, other: String) {
        let provider = TVProvider(id: MVPDID(one), displayName: "", logoURL: "")
        let requestor = Requestor(id: "A", name: "", providers: [provider])
        #expect(requestor.provider(MVPDID(one)) == provider && requestor.provider(MVPDID(other)) == nil)
    }

    // MARK: - Types that hold ids

    @Test(arguments: lookAlikes)
    func tellsValuesApart_byAnyText(one: String, other: String) {
        let date = TokenDate(secondsSince1970: 1)
        var provider = TVProvider(id: "", displayName: "", logoURL: "")
        provider.boardingStatus = ""
        check(
            provider, with: one, and: other,
            setting: [
                { $0.id = MVPDID($1) }, { $0.displayName = $1 }, { $0.logoURL = $1 }, { $0.boardingStatus = $1 },
                { $0.platformMappingID = $1 }, { $0.requiredMetadataFields = [$1] }, { $0.serviceProvider = $1 },
            ])
        check(
            Requestor(id: "", name: "", providers: [provider]), with: one, and: other,
            setting: [
                { $0.id = RequestorID($1) }, { $0.name = $1 }, { $0.domains = [$1] }, { $0.channels = [$1] },
                { $0.providers[0].id = MVPDID($1) },
            ])
        check(
            AuthenticationToken.Claims(
                authenticationGUID: "", requestorID: "", expires: date, mvpdID: "", fingerprint: "",
                fragments: .init()),
            with: one, and: other,
            setting: [
                { $0.authenticationGUID = $1 }, { $0.samlSessionIndex = $1 }, { $0.requestorID = RequestorID($1) },
                { $0.domainName = $1 }, { $0.mvpdID = MVPDID($1) }, { $0.fingerprint = $1 }, { $0.samlNameID = $1 },
                { $0.subMVPDID = MVPDID($1) }, { $0.transientPartOfGUID = $1 }, { $0.authorizedResources = [$1] },
                { $0.fragments?.browser = $1 }, { $0.fragments?.platform = $1 }, { $0.fragments?.vendor = $1 },
                { $0.fragments?.address = $1 },
            ])
        check(
            AuthorizationToken.Claims(requestorID: "", resource: "", expires: date, mvpdID: "", fingerprint: nil),
            with: one,
            and: other,
            setting: [
                { $0.requestorID = RequestorID($1) }, { $0.resource = Resource($1) }, { $0.mvpdID = MVPDID($1) },
                { $0.subMVPDID = MVPDID($1) },
                { $0.fingerprint = $1 },
            ])
        check(
            MediaToken.Claims(sessionGUID: "", requestorID: "", resource: "", timeToLive: 1, issued: date, mvpdID: ""),
            with: one, and: other,
            setting: [
                { $0.sessionGUID = $1 }, { $0.requestorID = RequestorID($1) }, { $0.resource = Resource($1) },
                { $0.mvpdID = MVPDID($1) },
                { $0.proxyMVPDID = MVPDID($1) },
            ])
        check(
            Profile(requestorID: "", mvpdID: "", expires: .distantFuture, trackingID: ""), with: one, and: other,
            setting: [{ $0.requestorID = RequestorID($1) }, { $0.mvpdID = MVPDID($1) }, { $0.trackingID = $1 }])
        check(
            Resource.Item(rating: .init(scheme: "", value: "")), with: one, and: other,
            setting: [{ $0.title = $1 }, { $0.guid = $1 }, { $0.rating?.scheme = $1 }, { $0.rating?.value = $1 }])
        check(
            UserMetadata(updated: .distantPast, data: [:]), with: one, and: other,
            setting: [
                { $0.data["x"] = .string($1) }, { $0.data[$1] = .null }, { $0.encrypted = [$1] },
                { $0.data["x"] = .array([.string($1)]) }, { $0.data["x"] = .object([$1: .null]) },
            ])
        check(PendingLogout(), with: one, and: other, setting: [{ $0.reason = $1 }])
        check(
            PreauthorizationDecision(resource: "", isAuthorized: true), with: one, and: other,
            setting: [{ $0.resource = Resource($1) }])
        #expect(TokenText(one) != TokenText(other) && TokenText(one) == TokenText(one))
        #expect(SoftwareStatement(one) != SoftwareStatement(other))
    }

    /// Checks that each text alone makes two values differ, and that equal values have equal hashes.
    private func check<Value: Hashable>(
        _ value: Value, with one: String, and other: String, setting setters: [(inout Value, String) -> Void],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for (number, set) in setters.enumerated() {
            var left = value
            var right = value
            var same = value
            set(&left, one)
            set(&right, other)
            set(&same, one)
            #expect(left != right, "text \(number)", sourceLocation: sourceLocation)
            #expect(left == same && left.hashValue == same.hashValue, "text \(number)", sourceLocation: sourceLocation)
            #expect(left != value, "text \(number)", sourceLocation: sourceLocation)
        }
    }
}
