import Foundation
import TVEModels
import TVETokenCodec
import Testing

struct MediaTokenUsesTests {
    private static let now = Date(timeIntervalSince1970: 1_795_282_200)

    private static func use(_ number: Int, seconds: TimeInterval = 420) -> MediaTokenUse {
        MediaTokenUse(digest: Data("\(number)".utf8), expires: now.addingTimeInterval(seconds))
    }

    @Test func spendsATokenOnce() throws {
        let uses = MemoryMediaTokenUses()
        #expect(try uses.spend(Self.use(1), at: Self.now))
        #expect(try !uses.spend(Self.use(1), at: Self.now.addingTimeInterval(419)))
        #expect(try uses.spend(Self.use(2), at: Self.now))
    }

    @Test func recognisesAToken_howeverItIsWritten() throws {
        let uses = MemoryMediaTokenUses()
        let verifier = MediaTokenVerifier(
            keys: [try TokenVerificationKey(certificate: Data(CertificateSamples.version3.utf8))], requestorID: "SBX")
        let raw = "<signatureInfo>\(CertificateSamples.signature)<signatureInfo>\(TokenSamples.mediaBody)"
        let spellings = [
            raw, "<signatureInfo>\(CertificateSamples.signature)</signatureInfo>\(TokenSamples.mediaBody)",
            Data(raw.utf8).base64EncodedString(),
        ]
        let spent = try spellings.map { text in
            try uses.spend(try #require(verifier.verify(text, at: Self.now).use), at: Self.now)
        }
        #expect(spent == [true, false, false])
    }

    @Test func isGivenNothingToSpend_unlessTheTokenIsValid() throws {
        let verifier = MediaTokenVerifier(
            keys: [try TokenVerificationKey(certificate: Data(CertificateSamples.version3.utf8))], requestorID: "SBX")
        let raw = "<signatureInfo>\(CertificateSamples.signature)<signatureInfo>\(TokenSamples.mediaBody)"
        #expect(verifier.verify(raw, resource: "other", at: Self.now).use == nil)
        #expect(verifier.verify(raw, at: Self.now.addingTimeInterval(420)).use == nil)
        #expect(verifier.verify(TokenSamples.media, at: Self.now).use == nil)
    }

    @Test func refusesMore_whenItIsFull_untilSomeHaveRunOut() throws {
        let uses = MemoryMediaTokenUses(capacity: 3)
        for number in 1...3 { #expect(try uses.spend(Self.use(number, seconds: Double(number)), at: Self.now)) }
        #expect(throws: MemoryMediaTokenUses.Full.self) { try uses.spend(Self.use(4), at: Self.now) }
        // One that is known is still known.
        #expect(try !uses.spend(Self.use(3, seconds: 3), at: Self.now))
        #expect(try uses.spend(Self.use(4), at: Self.now.addingTimeInterval(1)))
        #expect(try !uses.spend(Self.use(3, seconds: 3), at: Self.now.addingTimeInterval(1)))
    }

    @Test func letsOneCallWin_ofManyAtOnce() async {
        let uses = MemoryMediaTokenUses()
        let wins = await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    (0..<1_000).filter { number in
                        // Each task goes through the tokens from another place.
                        (try? uses.spend(Self.use((number + task * 125) % 1_000), at: Self.now)) == true
                    }.count
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wins == 1_000)
    }
}
