import Foundation
import TVEModels
import TVEStorage
import Testing

struct StoredTokenReaderTests {
    /// The texts that were parsed, in order.
    private let parsed = Guarded<[String]>([])

    private var reader: StoredTokenReader {
        StoredTokenReader(
            authentication: { [parsed] text in
                parsed.withLock { $0.append(text) }
                return try TextTokens.reader.authentication(text)
            },
            authorization: { [parsed] text in
                parsed.withLock { $0.append(text) }
                return try TextTokens.reader.authorization(text)
            }
        ).rememberingLast
    }

    @Test func parsesAgain_onlyAnotherText() throws {
        let reader = reader
        for _ in 0..<2 {
            #expect(try reader.authentication("R,a").claims.mvpdID == "a")
            #expect(try reader.authorization("R,a,X").claims.resource == "X")
        }
        #expect(parsed.withLock(\.self) == ["R,a", "R,a,X"], "Each kind has its own memory.")
        #expect(try reader.authentication("R,b").claims.mvpdID == "b")
        #expect(try reader.authentication("R,a").claims.mvpdID == "a")
        #expect(parsed.withLock(\.self) == ["R,a", "R,a,X", "R,b", "R,a"])
    }

    // Both texts are canonically equivalent, and equal as `String`.
    @Test func tellsTextsApart_byTheirBytes() throws {
        let reader = reader
        #expect(try reader.authentication("R,\u{E9}").text.rawValue.utf8.count == 4)
        #expect(try reader.authentication("R,e\u{301}").text.rawValue.utf8.count == 5)
    }

    @Test func remembersNoFailure_andForgetsNothingByOne() throws {
        let reader = reader
        _ = try reader.authentication("R,a")
        for _ in 0..<2 { #expect(throws: (any Error).self) { try reader.authentication("rubbish") } }
        #expect(try reader.authentication("R,a").claims.mvpdID == "a")
        #expect(parsed.withLock(\.self) == ["R,a", "rubbish", "rubbish"])
    }
}
