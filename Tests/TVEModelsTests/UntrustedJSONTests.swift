import Foundation
import TVEModels
import TVETestTraits
import Testing

@Suite(.row("REST API v2, 1"))
struct UntrustedJSONTests {
    private static func nested(_ open: String, _ close: String, depth: Int) -> String {
        String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
    }

    private static func read(_ text: String) throws(UntrustedJSONError) -> MetadataValue {
        try UntrustedJSON.read(MetadataValue.self, from: text)
    }

    /// Returns the reason why a text is refused, or nil when it is read.
    private static func refusal(_ text: String, _ limits: UntrustedJSON.Limits = .answer) -> String? {
        do throws(UntrustedJSONError) {
            _ = try UntrustedJSON.read(MetadataValue.self, from: text, limits)
            return nil
        } catch {
            return error.description
        }
    }

    // MARK: - Limits

    @Test(arguments: [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")])
    func readsUpToTheDepth_andRefusesMore(open: String, close: String) throws {
        let step = open.utf8.filter { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }.count
        _ = try Self.read(Self.nested(open, close, depth: 32 / step))
        for depth in [32 / step + 1, 100, 1_000, 100_000] {
            let refusal = Self.refusal(Self.nested(open, close, depth: depth))
            #expect(refusal?.hasPrefix("The JSON is nested deeper than 32.") == true)
        }
    }

    @Test(.row("SE13")) func refusesMoreBytesThanTheLimit() throws {
        let limits = UntrustedJSON.Limits(bytes: 10)
        _ = try UntrustedJSON.read(MetadataValue.self, from: "\"12345678\"", limits)
        for text in ["\"123456789\"", "\"12345678\" "] {
            #expect(Self.refusal(text, limits)?.hasPrefix("The JSON is longer than 10 bytes.") == true)
        }
    }

    /// Decided.md lists these limits.
    @Test(arguments: [
        (UntrustedJSON.Limits.small, 256 * 1024), (.answer, 1024 * 1024), (.configuration, 16 * 1024 * 1024),
    ])
    func readsAsManyBytesAsDocumented_andNoMore(limits: UntrustedJSON.Limits, bytes: Int) throws {
        #expect(limits.bytes == bytes)
        // Reading the largest takes seconds without optimization.
        guard LongTests.areOn || bytes <= 1024 * 1024 else { return }
        let text = "[]" + String(repeating: " ", count: bytes - 2)
        #expect(try UntrustedJSON.read(MetadataValue.self, from: text, limits) == .array([]))
        #expect(Self.refusal(text + " ", limits)?.hasPrefix("The JSON is longer than \(bytes) bytes.") == true)
    }

    @Test(arguments: [
        ("a", 256, true), ("a", 257, false), ("\u{301}", 128, true), ("\u{301}", 200_000, false),
    ])
    func refusesLongNames_whichCostTheirSquare(character: String, count: Int, isTaken: Bool) {
        let name = String(repeating: character, count: count)
        #expect(((try? Self.read("{\"\(name)\":1}")) != nil) == isTaken)
        #expect(((try? Self.read("{\"a\":{\"\(name)\" :1}}")) != nil) == isTaken)
        // A string of that length is not a name and is therefore accepted.
        #expect((try? Self.read("{\"a\":\"\(name)\"}")) != nil)
        #expect((try? Self.read("[\"\(name)\",\"\(name)\"]")) != nil)
        let metadata = "{\"encrypted\":[\"\(name)\"]}"
        #expect(((try? UntrustedJSON.read(UserMetadata.self, from: metadata)) != nil) == isTaken)
    }

    @Test func countsBracketsOutsideOfTextsAlone() throws {
        let brackets = String(repeating: "[{", count: 200)
        #expect(try Self.read("\"\(brackets)\"") == .string(brackets))
        #expect(try Self.read("\"\\\"\(brackets)\"") == .string("\"" + brackets))
        #expect(try Self.read("[\"\\\\\",\"\(brackets)\"]") == .array([.string("\\"), .string(brackets)]))
        // An escaped quote does not end a string, so these brackets are inside it.
        #expect((try? Self.read("\"\\\\\"" + brackets)) == nil)
    }

    @Test(arguments: [String.Encoding.utf16BigEndian, .utf16LittleEndian, .utf32BigEndian, .utf16])
    func refusesOtherEncodings_inWhichBracketsLookDifferent(encoding: String.Encoding) throws {
        let bytes = try #require("[\"\u{2200}\"]".data(using: encoding))
        #expect(throws: UntrustedJSONError.self) { try UntrustedJSON.read(MetadataValue.self, from: bytes) }
    }

    @Test(arguments: [
        "", " ", "]", "}", "[", "{", "[1", "[1,]", "{\"a\"}", "{\"a\":}", "{,}", "[]]", "[}", "\"", "\"\\\"", "tru",
        "nul", "--1",
        "1.", "+1", ".5", "0x10", "inf", "nan", "1e", "[1 2]", "\"\\q\"", "\"\\u12\"", "\"\\ud83d\"", "\"\\ud83dx\"",
        "1e999",
        "\"\n\"", "// x\n1", "'a'",
    ])
    func refusesWhatIsNoJSON(text: String) {
        #expect(throws: UntrustedJSONError.self) { try Self.read(text) }
    }

    @Test func refusesBytesThatAreNoText() {
        for byte in [0x80, 0xC0, 0xFE, 0xFF, 0x00] as [UInt8] {
            let bytes = Data([UInt8(ascii: "\""), byte, UInt8(ascii: "\"")])
            #expect(throws: UntrustedJSONError.self) { try UntrustedJSON.read(MetadataValue.self, from: bytes) }
        }
    }

    // MARK: - The same values as Foundation

    @Test(arguments: [
        "null", "true", "false", "0", "-0.5", "1e5", "12345678901234567890", "\"\"",
        "\"a\\u00e9\\n\\/\\\"\\\\\\b\\f\\r\\t\"",
        "\"\\ud83d\\ude00 \u{1F600}\"", "[]", "{}", " [ 1 , [ ] , { } ] ",
        "{\"a\":[{\"b\":null}],\"1\":{\"2\":[3,\"4\"]}}",
        "{\"x\":1,\"x\":2}", "{\"K\":1,\"\u{212A}\":2}", "\u{FEFF}[1]", "[0.1,1E-2,-1e+2,9007199254740993]",
    ])
    func readsAsFoundationDoes(text: String) throws {
        let theirs = try JSONDecoder().decode(MetadataValue.self, from: Data(text.utf8))
        #expect(try Self.read(text) == theirs)
        // The same inside other types.
        struct Wrapped: Decodable { let outer: [[String: MetadataValue]] }
        let wrapped = "{\"outer\":[{},{\"7\":\(text.replacingOccurrences(of: "\u{FEFF}", with: ""))}]}"
        #expect(try UntrustedJSON.decode(Wrapped.self, from: Data(wrapped.utf8)).outer.last?["7"] == theirs)
    }

    @Test func isReadByUsersToo_withTheSameLimits() throws {
        #expect(try MetadataValue(json: Data("[1]".utf8)) == .array([.number(1)]))
        #expect(throws: UntrustedJSONError.self) {
            try MetadataValue(json: Data(Self.nested("[", "]", depth: 33).utf8))
        }
    }

    @Test func says_whatIsWrong() {
        let errors: [UntrustedJSONError] = [
            .tooLarge(limit: 1), .tooDeep(limit: 2), .nameTooLong(limit: 3), .malformed,
            .unreadable(CocoaError(.coderReadCorrupt)),
        ]
        #expect(Set(errors.map(\.description)).count == errors.count)
    }

    // MARK: - Foreign decoders

    /// A type that is `Decodable` has no second reader with other rules.
    @Test(arguments: [
        "{\"id\":\"a\",\"displayName\":\"A\"}",
        "{\"id\":\"a\",\"displayName\":\"A\",\"logoURL\":null,\"isProxy\":\"true\",\"iFrameWidth\":\"700\"}",
        "{\"id\":\"a\"}", "{}", "[]",
    ])
    func readsAProvider_asTheLibraryDoes(text: String) {
        let theirs = try? JSONDecoder().decode(TVProvider.self, from: Data(text.utf8))
        #expect(theirs == (try? UntrustedJSON.read(TVProvider.self, from: text)))
    }

    @Test(arguments: [
        "{\"status\":\"403\",\"code\":\"denied\",\"helpUrl\":\"https://h\"}", "{\"error\":{\"code\":\"denied\"}}",
        "{}", "[]",
    ])
    func readsAnError_asTheLibraryDoes(text: String) {
        let theirs = try? JSONDecoder().decode(EnhancedError.self, from: Data(text.utf8))
        #expect(theirs == (try? UntrustedJSON.read(EnhancedError.self, from: text)))
    }

    @Test func readsAgain_whatAnAppHasEncoded() throws {
        try checkCopies(
            of: TVProvider(id: "a", displayName: "A", logoURL: ""),
            changing: [
                { $0.id = "b" }, { $0.displayName = "B" }, { $0.logoURL = "https://l" }, { $0.requiresIFrame = true },
                { $0.iFrameWidth = 700 }, { $0.iFrameHeight = 500 }, { $0.needsForegroundLogout = true },
                { $0.isProxy = true }, { $0.authenticatesPerRequestor = true },
                { $0.allowsPassiveAuthentication = false }, { $0.authenticatesPerBrowserSession = true },
                { $0.isTempPass = true }, { $0.allowsPlatformSignOn = true }, { $0.boardingStatus = "PICKER" },
                { $0.isShownInPlatformPicker = true }, { $0.platformMappingID = "p" },
                { $0.requiredMetadataFields = ["userID"] }, { $0.usesSafari = true }, { $0.serviceProvider = "s" },
            ])
        try checkCopies(
            of: EnhancedError(),
            changing: [
                { $0.status = 403 }, { $0.code = "denied" }, { $0.message = "m" }, { $0.details = "d" },
                { $0.helpURL = "https://h" }, { $0.trace = "t" }, { $0.action = "none" },
            ])
        try checkCopies(
            of: PreauthorizationDecision(resource: "R", isAuthorized: false),
            changing: [
                { $0.resource = "S" }, { $0.isAuthorized = true }, { $0.error = EnhancedError(code: "denied") },
                { $0.isDecided = false },
            ])
    }

    /// Checks that a value differs from one with a changed property, and that both are read as they were encoded.
    private func checkCopies<Value: Codable & Equatable>(
        of value: Value, changing changes: [(inout Value) -> Void], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for (number, change) in changes.enumerated() {
            var changed = value
            change(&changed)
            #expect(changed != value, "property \(number)", sourceLocation: sourceLocation)
            for value in [value, changed] {
                let copy = try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
                #expect(copy == value, "property \(number)", sourceLocation: sourceLocation)
            }
        }
    }

    @Test func isLimitedInDepth_withAnyDecoder() throws {
        _ = try JSONDecoder().decode(MetadataValue.self, from: Data(Self.nested("[", "]", depth: 32).utf8))
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(MetadataValue.self, from: Data(Self.nested(open, close, depth: 34).utf8))
            }
        }
    }

    @Test func costsNoMore_theDeeperItIs_withAnyDecoder() {
        func work(_ text: String) -> Duration {
            let bytes = Data(text.utf8)
            let start = Duration.workOfThisThread
            _ = try? JSONDecoder().decode(MetadataValue.self, from: bytes)
            return Duration.workOfThisThread - start
        }
        _ = work("[]")
        // One more level used to double the work; a kilobyte took 1.4 s.
        #expect(work(Self.nested("[", "]", depth: 500)) < .milliseconds(250))
    }
}
