import Foundation
import TVEModels
import TVENetworking
import Testing

/// A stored registration that cannot be read would log every viewer out.
struct RegisteredApplicationTests {
    @Test(
        arguments: [
            nil, [], ["api:client:v2"], ["api:client:v2", "app://end"], [""], ["a b", "c"], ["a", ""], [" a"],
            ["\u{301}", "e\u{301}"], ["a\tb", "c\nd"],
        ] as [[String]?], [nil, AccessToken(value: "t", expires: Date(timeIntervalSince1970: 1))])
    func isReadAsItWasStored(list: [String]?, token: AccessToken?) throws {
        let lists = [(list, nil), (nil, list), (list, list)]
        for (scopes, redirectURLs) in lists {
            let application = RegisteredApplication(
                clientID: "i d", clientSecret: "s", scopes: scopes, redirectURLs: redirectURLs, accessToken: token)
            let kept = try JSONDecoder().decode(
                RegisteredApplication.self, from: try JSONEncoder().encode(application))
            #expect(kept == application && kept.dialect == application.dialect)
            #expect(Self.bytes(kept.scopes) == Self.bytes(scopes))
            #expect(Self.bytes(kept.redirectURLs) == Self.bytes(redirectURLs))
        }
    }

    private static func bytes(_ list: [String]?) -> [Data]? { list?.map { Data($0.utf8) } }

    /// A keeper encodes in its own way.
    ///
    /// A token whose end were read in another form would be lost, or look valid for decades.
    @Test(arguments: [JSONEncoder.DateEncodingStrategy.secondsSince1970, .millisecondsSince1970, .iso8601])
    func isReadAsItWasStored_whateverFormTheKeeperGivesDates(strategy: JSONEncoder.DateEncodingStrategy) throws {
        let application = Self.tried
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = strategy
        let kept = try JSONDecoder().decode(RegisteredApplication.self, from: try encoder.encode(application))
        #expect(kept == application)
    }

    @Test func isReadAsItWasStored_inAPropertyList() throws {
        let application = Self.tried
        let stored = try PropertyListEncoder().encode(application)
        #expect(try PropertyListDecoder().decode(RegisteredApplication.self, from: stored) == application)
    }

    /// Credentials with a token, whose replacement was refused.
    private static var tried: RegisteredApplication {
        var application = RegisteredApplication(
            clientID: "i", clientSecret: "s",
            accessToken: AccessToken(value: "t", expires: Date(timeIntervalSinceReferenceDate: 800_000_000)))
        application.replacementRefused = Date(timeIntervalSinceReferenceDate: 700_000_000)
        return application
    }

    /// A list or a structure in the stored text would cost a decoder of its own at each start.
    @Test func isStoredAsTextsAndNumbers() throws {
        let application = RegisteredApplication(
            clientID: "i", clientSecret: "s", scopes: ["a", "b"], redirectURLs: ["app://end"],
            accessToken: AccessToken(value: "t", expires: Date(timeIntervalSinceReferenceDate: 1)))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(
            String(decoding: try encoder.encode(application), as: UTF8.self)
                == #"{"clientID":"i","clientSecret":"s","expires":1,"redirects":"app://end","scope":"a b","token":"t"}"#
        )
    }

    /// A process that ends before the service has accepted the new credentials leaves the way back to the next one.
    @Test func theReplacedCredentials_areStoredWithTheNewOnes() throws {
        var application = RegisteredApplication(clientID: "new", clientSecret: "s")
        application.replaced = RegisteredApplication(clientID: "old", clientSecret: "s", scopes: ["a"])
        let kept = try JSONDecoder().decode(RegisteredApplication.self, from: try JSONEncoder().encode(application))
        #expect(kept == application && kept.replaced?.clientID == "old" && kept.replaced?.scopes == ["a"])
    }

    @Test(
        arguments: [
            ("", nil, nil),
            (#","scopes":["api:client:v2","x"],"redirectURLs":["app://end"]"#, ["api:client:v2", "x"], ["app://end"]),
            (#","scopes":[],"redirectURLs":[]"#, [], []),
        ] as [(String, [String]?, [String]?)])
    func readsWhatEarlierVersionsStored(lists: String, scopes: [String]?, redirectURLs: [String]?) throws {
        let stored = #"{"clientID":"i","clientSecret":"s","accessToken":{"value":"t","expires":1}\#(lists)}"#
        let kept = try JSONDecoder().decode(RegisteredApplication.self, from: Data(stored.utf8))
        let token = AccessToken(value: "t", expires: Date(timeIntervalSinceReferenceDate: 1))
        #expect(
            kept
                == RegisteredApplication(
                    clientID: "i", clientSecret: "s", scopes: scopes, redirectURLs: redirectURLs, accessToken: token))
    }

    /// An earlier version took scopes with commas between them for one.
    @Test(arguments: [
        ("api:client:v2,a", ServiceDialect.restV2), ("a,api:client:v2 b", .restV2), ("api:client:v2a,b", .classic),
    ])
    func storedScopes_thatWereNotToldApart_nameTheDialect(scope: String, dialect: ServiceDialect) throws {
        let stored = #"{"clientID":"i","clientSecret":"s","scope":"\#(scope)"}"#
        let kept = try JSONDecoder().decode(RegisteredApplication.self, from: Data(stored.utf8))
        #expect(kept.dialect == dialect)
    }

    @Test(
        arguments: [
            "{}", "[]", #"{"clientID":"i"}"#, #"{"clientSecret":"s"}"#, #"{"clientID":1,"clientSecret":"s"}"#,
            #"{"clientID":"i","clientSecret":null}"#,
        ])
    func isNotReadWithoutItsCredentials(stored: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(RegisteredApplication.self, from: Data(stored.utf8))
        }
    }

    /// The credentials belong to the viewer's login, while the service states the other values again.
    @Test(
        arguments: [
            #""scope":[]"#, #""scopes":"""#, #""accessToken":"t""#, #""token":"t""#,
            #""token":{"value":"t","expires":1}"#, #""redirects":7,"redirectURLs":{}"#, #""accessToken":{"value":"t"}"#,
            #""replaced":7"#, #""replaced":{"clientID":"i"}"#,
        ])
    func isReadWithoutWhatIsNotAsStored(other: String) throws {
        let stored = #"{"clientID":"i","clientSecret":"s",\#(other)}"#
        #expect(
            try JSONDecoder().decode(RegisteredApplication.self, from: Data(stored.utf8))
                == RegisteredApplication(clientID: "i", clientSecret: "s"))
    }
}
