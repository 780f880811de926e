import Foundation
import TVEModels
import TVETestTraits
import Testing

/// The values that the cursor reads, skips and refuses.
///
/// `UntrustedJSONTests` tests the limits.
@Suite(.row("REST API v2, 1"))
struct JSONCursorTests {
    enum Field: String, CaseIterable { case name, value, list, longNameOfAMember }

    private static let names = JSONNames<Field>()

    /// Returns the result of a reader for a document, which it must consume to its end.
    private static func whole<Value>(
        _ text: String, _ read: (inout JSONCursor) throws(UntrustedJSONError) -> Value
    ) throws -> Value {
        var json = try JSONCursor(Array(text.utf8), .answer)
        let value = try read(&json)
        let isAtEnd = json.isAtEnd()
        #expect(isAtEnd, "\(text)")
        return value
    }

    /// Returns the members of a map that have known names, each value as a tree.
    private static func members(_ text: String) throws -> [Field: MetadataValue]? {
        var found: [Field: MetadataValue] = [:]
        let isObject = try whole(text) { (json) throws(UntrustedJSONError) in
            try json.object(names) { (field, json) throws(UntrustedJSONError) in
                found[field] = try MetadataValue(&json)
            }
        }
        return isObject ? found : nil
    }

    // MARK: - White space

    @Test(arguments: [
        ("", ""), (" \t\r\n", ""), ("a", "a"), (" a b\r\n", "a b"), ("\u{301} a", "\u{301} a"),
        (" \u{301}\n", "\u{301}"), ("\u{A0}a\u{2003}", "\u{A0}a\u{2003}"), ("\né ", "é"),
    ])
    func aValue_endsAtTheWhiteSpaceAroundIt(text: String, trimmed: String) {
        #expect(JSONCursor.trimmed(text).isSameBytes(as: trimmed))
    }

    // MARK: - Maps and lists

    @Test(
        arguments: [
            ("{}", [:]), (#"{"name":"a","value":1}"#, [.name: "a", .value: 1]),
            // In any order, with blanks, between names that nobody knows.
            (#" { "x" : [ { "name" : 2 } ] , "value" : 1 , "y":{} , "name" : "a" } "#, [.name: "a", .value: 1]),
            (#"{"longNameOfAMember":true,"longNameOfAMembes":1,"longNameOfAMembe":2}"#, [.longNameOfAMember: true]),
            // The first of two equal names is used.
            (#"{"name":1,"name":2,"value":3,"name":4}"#, [.name: 1, .value: 3]),
            // Names are compared by their decoded bytes, not by their spelling in the document.
            (#"{"n\u0061me":1,"NAME":2,"name ":3,"na\u0000me":4}"#, [.name: 1]),
            (#"{"name":null}"#, [.name: .null]), (#"{"":1}"#, [:]),
        ] as [(String, [Field: MetadataValue])])
    func findsTheMembersOfAMap(text: String, expected: [Field: MetadataValue]) throws {
        #expect(try Self.members(text) == expected)
    }

    @Test(arguments: ["[]", "1", "\"{}\"", "null", "true", #"[{"name":1}]"#])
    func whatIsNoMap_isPassedAsAWhole(text: String) throws {
        #expect(try Self.members(text) == nil)
    }

    @Test func whatAReaderDoesNotRead_isPassed() throws {
        var order: [Field] = []
        let text = #"{"name":{"a":[1,2,{"b":"}"}]},"value":[[]],"list":"x"}"#
        let isObject = try Self.whole(text) { (json) throws(UntrustedJSONError) in
            try json.object(Self.names) { (field, _) throws(UntrustedJSONError) in order.append(field) }
        }
        #expect(isObject && order == [.name, .value, .list])
    }

    @Test func aListLeavesOutWhatHasAnotherShape_andAnArrayDoesNot() throws {
        for (text, some, all) in [
            (#"["a",1,"b",null,{"c":[]},["d"]]"#, ["a", "b"], nil), (#"["a","b"]"#, ["a", "b"], ["a", "b"]),
            ("[]", [], []), ("{}", nil, nil), ("\"a\"", nil, nil),
        ] as [(String, [String]?, [String]?)] {
            let readable = try Self.whole(text) { (json) throws(UntrustedJSONError) in
                try json.list(of: String.self)
            }
            let whole = try Self.whole(text) { (json) throws(UntrustedJSONError) in try [String](&json) }
            #expect(readable == some && whole == all, "\(text)")
        }
    }

    @Test func membersOfAnyName_comeInTheOrderOfTheDocument() throws {
        var names: [String] = []
        let text = #"{"b":1,"\ud83d\ude00":2,"a":3,"b":4}"#
        let isObject = try Self.whole(text) { (json) throws(UntrustedJSONError) in
            try json.members { (name, _) throws(UntrustedJSONError) in names.append(name) }
        }
        #expect(isObject && names == ["b", "\u{1F600}", "a", "b"])
    }

    // MARK: - Values

    /// A value, and the result of each reader.
    struct Reading: Sendable, CustomTestStringConvertible {
        let json: String
        var string: String?
        var text: String?
        var wholeNumber: Int?
        var decimal: Double?
        var flag = false
        var texts: [String]?

        var testDescription: String { json }
    }

    @Test(arguments: [
        Reading(json: #""""#, string: "", text: "", texts: [""]),
        Reading(json: #""a""#, string: "a", text: "a", texts: ["a"]),
        Reading(json: #""true""#, string: "true", text: "true", flag: true, texts: ["true"]),
        Reading(json: #""TRUE""#, string: "TRUE", text: "TRUE", flag: true, texts: ["TRUE"]),
        Reading(json: #""1""#, string: "1", text: "1", wholeNumber: 1, decimal: 1, flag: true, texts: ["1"]),
        Reading(
            json: #"" 1\n""#, string: " 1\n", text: " 1\n", wholeNumber: 1, decimal: 1, flag: true, texts: [" 1\n"]),
        Reading(json: #""\ttrue ""#, string: "\ttrue ", text: "\ttrue ", flag: true, texts: ["\ttrue "]),
        Reading(json: #""1 2""#, string: "1 2", text: "1 2", texts: ["1 2"]),
        Reading(json: #"" ""#, string: " ", text: " ", texts: [" "]),
        Reading(json: #""-2.5""#, string: "-2.5", text: "-2.5", decimal: -2.5, texts: ["-2.5"]),
        Reading(json: #""inf""#, string: "inf", text: "inf", texts: ["inf"]),
        Reading(json: "1", text: "1", wholeNumber: 1, decimal: 1, flag: true, texts: ["1"]),
        Reading(json: "-0", text: "0", wholeNumber: 0, decimal: 0, texts: ["0"]),
        Reading(json: "2.0", text: "2", wholeNumber: 2, decimal: 2, texts: ["2"]),
        Reading(json: "1e3", text: "1000", wholeNumber: 1_000, decimal: 1_000, texts: ["1000"]),
        Reading(json: "0.5", decimal: 0.5),
        Reading(
            json: "9223372036854775807", text: "9223372036854775807", wholeNumber: .max, decimal: 0x1p63,
            texts: ["9223372036854775807"]),
        Reading(
            json: "-9223372036854775808", text: "-9223372036854775808", wholeNumber: .min, decimal: -0x1p63,
            texts: ["-9223372036854775808"]),
        Reading(json: "9223372036854775808", decimal: 0x1p63),
        Reading(json: "123456789012345678901234567890", decimal: 1.2345678901234568e29),
        Reading(
            json: "999999999999999", text: "999999999999999", wholeNumber: 999_999_999_999_999,
            decimal: 999_999_999_999_999, texts: ["999999999999999"]),
        Reading(json: "1e400"),
        Reading(json: "true", flag: true), Reading(json: "false"), Reading(json: "null"),
        Reading(json: #"{"a":"b"}"#), Reading(json: #"["a","b",1]"#, texts: ["a", "b"]), Reading(json: "[]", texts: []),
    ])
    func readsVariantsOfAValue(reading: Reading) throws {
        // Each reader consumes exactly the value, whatever its result is.
        func read<Value: Equatable>(
            _ expected: Value, _ read: (inout JSONCursor) throws(UntrustedJSONError) -> Value
        ) throws {
            var values: [Value] = []
            var last: Int?
            let isList = try Self.whole("[ \(reading.json) , 7 ]") { (json) throws(UntrustedJSONError) in
                try json.list { (json) throws(UntrustedJSONError) in
                    if values.isEmpty { values.append(try read(&json)) } else { last = try json.wholeNumber() }
                }
            }
            #expect(isList && values == [expected] && last == 7, "\(Value.self)")
        }
        try read(reading.string) { (json) throws(UntrustedJSONError) in try json.string() }
        try read(reading.text) { (json) throws(UntrustedJSONError) in try json.text() }
        try read(reading.wholeNumber) { (json) throws(UntrustedJSONError) in try json.wholeNumber() }
        try read(reading.decimal) { (json) throws(UntrustedJSONError) in try json.decimal() }
        try read(reading.flag) { (json) throws(UntrustedJSONError) in try json.flag() }
        try read(reading.texts) { (json) throws(UntrustedJSONError) in try json.texts() }
    }

    @Test(
        arguments: [
            ("0", 0), ("1583334345000", 1_583_334_345), ("\"1583334345000\"", 1_583_334_345), ("1.5e3", 1.5),
            ("\" 1583334345000\"", 1_583_334_345), ("-1", nil),
            ("253402300799999", 253_402_300_799.999), ("253402300800000", nil), ("1e300", nil), ("\"nan\"", nil),
            ("\"2026-11-27\"", nil), ("null", nil), ("[1]", nil),
        ] as [(String, Double?)])
    func readsDatesUpToTheYear9999(text: String, seconds: Double?) throws {
        let instant = try Self.whole(text) { (json) throws(UntrustedJSONError) in try json.instant() }
        #expect(instant == seconds.map { Date(timeIntervalSince1970: $0) })
    }

    @Test(
        arguments: [
            ("1583334345000", 1_583_334_345), ("253402300800000", 253_402_300_799.999),
            ("9223372036854775807", 253_402_300_799.999), ("\"9223372036854775807\"", 253_402_300_799.999),
            ("1e19", nil), ("1e300", nil), ("-1", nil), ("\"inf\"", nil), ("1e999", nil), ("null", nil),
        ] as [(String, Double?)])
    func readsAnEndAfterTheYear9999_asTheEndOfThatYear(text: String, seconds: Double?) throws {
        let end = try Self.whole(text) { (json) throws(UntrustedJSONError) in try json.end() }
        #expect(end == seconds.map { Date(timeIntervalSince1970: $0) })
    }

    @Test func passesNull_andNothingElse() throws {
        var isNull: [Bool] = []
        let isList = try Self.whole("[null,0]") { (json) throws(UntrustedJSONError) in
            try json.list { (json) throws(UntrustedJSONError) in isNull.append(try json.passNull()) }
        }
        #expect(isList && isNull == [true, false])
    }

    // MARK: - Bytes that are no JSON

    /// Each of these is refused, both when a reader reads the value and when it is skipped.
    @Test(arguments: [
        "tru", "nulL", "fals", "truefalse", "01", "-", "1.", ".5", "1e", "1e+", "+1", "0x1", "\"", "\"\\", "\"\\q\"",
        "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\ud800\\ud800\"", "\"\\udc00\"",
        "\"\u{1}\"", "\"\n\"", "[1 2]", "[1,]", "[,1]", "[", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{1:1}",
        "{\"a\":1 \"b\":2}", "]", "}", "[}", "{]", "1 1", "", " ", "//", "'a'",
    ])
    func refusesWhatIsNoJSON_alsoWhereNobodyWantsIt(text: String) {
        #expect(throws: UntrustedJSONError.self) { try UntrustedJSON.read(MetadataValue.self, from: text) }
        #expect(throws: UntrustedJSONError.self) {
            var json = try JSONCursor(Array("{\"unknown\":\(text)}".utf8), .answer)
            _ = try json.object(Self.names) { (_, _) throws(UntrustedJSONError) in }
            // The bytes after the whole value are the caller's responsibility.
            guard json.isAtEnd() else { throw UntrustedJSONError.malformed }
        }
    }

    @Test func aDocumentThatIsCut_isRefused_whereverItEnds() throws {
        let whole =
            #"{"name":"a\u00e9\ud83d\ude00\"é😀 long enough for many words","list":[1,-2.5e-3,{"x":null}],"value":false}"#
        #expect(try Self.members(whole)?.count == 3)
        let bytes = Array(whole.utf8)
        for end in 0..<bytes.count {
            #expect(throws: UntrustedJSONError.self) {
                try UntrustedJSON.read(MetadataValue.self, from: Data(bytes[..<end]))
            }
        }
    }

    /// The search for the end of a text examines eight bytes at a time.
    @Test func findsTheEndOfAText_atEveryPlace() throws {
        for length in 0...40 {
            let plain = String(repeating: "x", count: length)
            #expect(try UntrustedJSON.read(String.self, from: "\"\(plain)\"") == plain)
            #expect(try UntrustedJSON.read(String.self, from: "\"\(plain)\\n\(plain)\"") == plain + "\n" + plain)
            for byte in UInt8(0)..<0x20 {
                let bytes = Array("\"\(plain)".utf8) + [byte] + Array("yyyyyyyyy\"".utf8)
                #expect(throws: UntrustedJSONError.self) { try UntrustedJSON.read(String.self, from: Data(bytes)) }
            }
            // Bytes that differ from the special ones in one bit, and every byte above ASCII.
            for scalar in ["!", "#", "]", "[", "\u{A2}", "\u{DC}", "\u{80}", " ", "\u{7F}", "\u{10FFFF}"] {
                #expect(try UntrustedJSON.read(String.self, from: "\"\(plain)\(scalar)\"") == plain + scalar)
            }
        }
    }

    // MARK: - The same as Foundation

    /// Documents that are changed at random, by a seed.
    ///
    /// A document that both Foundation and the cursor read has the same meaning, and the cursor reads no document that
    /// Foundation refuses.
    @Test(arguments: 0..<8) func readsNothingThatFoundationRefuses_andTheRestAsItDoes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var both = 0
        for _ in 0..<400 {
            let bytes = Self.changed(Self.documents.randomElement(using: &random) ?? "", &random)
            let ours = try? UntrustedJSON.read(MetadataValue.self, from: bytes)
            let theirs = try? JSONDecoder().decode(MetadataValue.self, from: bytes)
            guard let ours else { continue }
            both += 1
            #expect(ours == theirs, "\(String(decoding: bytes, as: UTF8.self))")
        }
        // Many changes leave the document valid.
        #expect(both > 40)
    }

    private static let documents = [
        #"{"a":[1,-2.5e3,"x\n\u00e9",{"b":null,"c":true}],"d":{"e":"f","e":"g"},"":false}"#,
        #"[[],{},"",0,1.25,"\ud83d\ude00\\\/\b\f\r\t","é😀",12345678901234567890]"#,
        #" {"profiles" : {"MVPD":{"notAfter":1797832900000,"attributes":{"zip":{"value":["1","2"]}}}} } "#,
    ]

    private static func changed(_ text: String, _ random: inout SeededGenerator) -> Data {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let byte = Array("{}[]\",:\\u0123e.-+tfn \n\u{1}xé".utf8).randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes[place] = byte
            case 1: bytes.insert(byte, at: place)
            default: if bytes.count > 1 { bytes.remove(at: place) }
            }
        }
        return Data(bytes)
    }
}
