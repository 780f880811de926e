import Foundation
import TVEModels
import TVEStorage
import TVETestTraits
import Testing

/// The policies for entitlements of other devices (API reference, C5).
struct SanitizerTests {
    private let backend = MemoryStorage()

    private func store(_ fingerprint: String) -> EntitlementStore {
        EntitlementStore(backend: backend, reader: TextTokens.reader, fingerprint: fingerprint)
    }

    private func logIn(_ fingerprint: String, _ requestor: RequestorID = "P1") throws {
        try store(fingerprint).save(TextTokens.authentication(requestor, "A"), metadata: nil)
    }

    private func isLoggedIn(_ fingerprint: String, _ requestor: RequestorID = "P1") throws -> Bool {
        try store(fingerprint).authenticationToken(requestorID: requestor, mvpdID: "A") != nil
    }

    @Test(.row("T-30", "T-31")) func twoDevicesShareAStore_withoutSeeingEachOther() throws {
        try logIn("d1")
        #expect(try !isLoggedIn("d2"))
        #expect(try store("d2").currentProvider(of: "P1") == nil)
        #expect(try store("d2").sharedAuthenticationTokens(with: "P2", mvpdIDs: ["A"]) == [])
        try logIn("d2")
        #expect(try store("d2").sanitize(.ignore) == 0)
        #expect(try isLoggedIn("d1") && isLoggedIn("d2"))
    }

    @Test(.row("T-55", "T-56")) func removesTheTokensOfOtherDevices_andKeepsItsOwn() throws {
        try logIn("d1")
        try logIn("d2")
        try logIn("d2", "P2")
        #expect(try store("d1").sanitize(.remove) == 6)
        #expect(try isLoggedIn("d1") && !isLoggedIn("d2") && !isLoggedIn("d2", "P2"))
        #expect(try store("d1").sanitize(.remove) == 0)
        #expect(try store("new").sanitize(.remove) == 3)
        #expect(try !isLoggedIn("d1"))
    }

    @Test(.row("T-32", "T-33", "T-61")) func version1_8_erasesEverything_backAndForth() throws {
        try logIn("d1")
        #expect(try store("d2").sanitize(.removeEverything) == 3)
        #expect(try !isLoggedIn("d1"))
        try logIn("d2")
        #expect(try store("d1").sanitize(.removeEverything) == 3)
        #expect(try !isLoggedIn("d1") && !isLoggedIn("d2"))
    }

    /// The service token of another device may be valid for long.
    @Test(arguments: [ForeignTokenPolicy.ignore, .remove, .removeEverything])
    func removesTheMembershipsOfOtherDevices_andKeepsItsOwn(policy: ForeignTokenPolicy) throws {
        let installation = InstallationStore(backend: backend)
        let membership = StoredMembership(token: "t", expires: Date(timeIntervalSince1970: 1), account: nil)
        for device in ["d1", "d2"] {
            try installation.setMembership(membership, requestorID: "P1", fingerprint: device)
        }
        try logIn("d1")
        let isLeft = policy == .ignore
        #expect(try store("d1").sanitize(policy) == (isLeft ? 0 : 1))
        #expect(try installation.membership(requestorID: "P1", fingerprint: "d1") == membership)
        #expect(try (installation.membership(requestorID: "P1", fingerprint: "d2") != nil) == isLeft)
        #expect(try isLoggedIn("d1"))
    }

    @Test func removesNothing_withoutForeignTokens() throws {
        try logIn("d1")
        #expect(try store("d1").sanitize(.removeEverything) == 0)
        #expect(try isLoggedIn("d1"))
    }
}
