import Foundation
import TVEModels
import Testing

struct UserMetadataTests {
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
}
