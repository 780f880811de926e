import Foundation
import TVEModels
import Testing

struct MetadataValueTests {
    private let value: MetadataValue = [
        "zip": "12345", "maxRating": ["MPAA": "PG-13", "URL": 7], "isHome": true, "shares": [1, 2.5], "none": .null,
    ]

    @Test func reads_whatIsOfTheKindAskedFor() {
        #expect(value["zip"]?.stringValue == "12345")
        #expect(value["maxRating"]?["MPAA"]?.stringValue == "PG-13")
        #expect(value["maxRating"]?["URL"]?.intValue == 7)
        #expect(value["isHome"]?.boolValue == true)
        #expect(value["shares"]?[1]?.doubleValue == 2.5)
        #expect(value["shares"]?.arrayValue?.count == 2)
        #expect(value.objectValue?.count == 5)
        #expect(value["none"]?.isNull == true)
    }

    @Test func readsNothing_fromAnotherKindOrPlace() {
        #expect(value["zip"]?.intValue == nil && value["zip"]?.doubleValue == nil && value["zip"]?.boolValue == nil)
        #expect(value["zip"]?["a"] == nil && value["zip"]?[0] == nil && value["zip"]?.isNull == false)
        #expect(value["isHome"]?.stringValue == nil && value["isHome"]?.doubleValue == nil)
        #expect(value["shares"]?[2] == nil && value["shares"]?[-1] == nil && value["shares"]?["0"] == nil)
        #expect(value["missing"] == nil && value.arrayValue == nil && value["shares"]?.objectValue == nil)
    }

    @Test(arguments: [(2.5, nil), (-3, -3), (1e300, nil), (.infinity, nil), (.nan, nil)] as [(Double, Int?)])
    func aNumberIsWhole_whenItIs(number: Double, whole: Int?) {
        #expect(MetadataValue.number(number).intValue == whole)
    }

    @Test func literals_areTheCasesOfTheirKinds() {
        let name = "b"
        #expect(
            ([true, 1, 1.5, "a\(name)", ["k": []]] as MetadataValue)
                == .array([.bool(true), .number(1), .number(1.5), .string("ab"), .object(["k": .array([])])]))
        #expect((["k": 1, "k": 2] as MetadataValue) == .object(["k": .number(2)]))
    }

    // MARK: - All values of a viewer

    @Test func readsEveryKindOfValue() throws {
        let json = """
            {"updated":1795219200,"data":{"zip":["12345"],"is_hoh":true,"maxRating":{"MPAA":"PG"},"n":2,"x":null},
            "encrypted":["zip"]}
            """
        let metadata = try JSONDecoder().decode(UserMetadata.self, from: Data(json.utf8))
        #expect(metadata.updated == Date(timeIntervalSince1970: 1_795_219_200))
        #expect(metadata.data["zip"] == .array([.string("12345")]))
        #expect(metadata.data["is_hoh"] == .bool(true))
        #expect(metadata.data["maxRating"] == .object(["MPAA": .string("PG")]))
        #expect(metadata.data["n"] == .number(2))
        #expect(metadata.data["x"] == .null)
        #expect(metadata.encrypted == ["zip"])
        let again = try JSONDecoder().decode(UserMetadata.self, from: JSONEncoder().encode(metadata))
        #expect(again == metadata)
    }

    @Test func readsAnEmptyObject_asNothingKnown() throws {
        let metadata = try JSONDecoder().decode(UserMetadata.self, from: Data("{}".utf8))
        #expect(metadata.data.isEmpty && metadata.encrypted.isEmpty)
    }

    @Test(arguments: ["[]", "{\"data\":[]}", "{\"updated\":\"x\"}", "{\"updated\":1e300}", "{\"updated\":-1}", "", "{"])
    func refuses(json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(UserMetadata.self, from: Data(json.utf8)) }
    }

    /// Property lists have numbers that JSON has not.
    @Test(arguments: ["nan", "inf", "-inf"]) func refusesANumberThatIsNotFinite(number: String) {
        let list = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>data</key><dict><key>n</key><real>\(number)</real></dict></dict></plist>
            """
        #expect(throws: DecodingError.self) {
            try PropertyListDecoder().decode(UserMetadata.self, from: Data(list.utf8))
        }
    }
}
