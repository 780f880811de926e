import Foundation
import TVEModels
import TVETestTraits
import Testing

@testable import TVEStorage

/// The logouts that a service has yet to receive, and the logins that end them.
struct LogoutNoteTests {
    private let backend = MemoryStorage()
    private var store: EntitlementStore { EntitlementStore(backend) }

    private func noteLogouts() throws {
        try store.change { entitlements throws(StorageError) in
            try entitlements.removeAllEntitlements(
                pending: [TextTokens.authentication("P1", "A"), TextTokens.authentication("P1", "B")],
                everyLoginOf: ["P1", "P2"])
        }
    }

    /// A later refresh must not end the new login, and an earlier login must not survive its logout.
    @Test(arguments: [
        // The text of the login, and Boolean values that indicate whether the provider is degraded, whether the login
        // was successful, and whether it replaces the earlier one at the service.
        ("{}", false, true, true), ("{}", true, true, false), ("{}", false, false, false), ("<a/>", false, true, false),
    ])
    func aLogin_endsThePendingLogoutOfItsProvider_ifTheServiceHasReplacedTheEarlierOne(
        text: String, isDegraded: Bool, isSuccessful: Bool, isReplaced: Bool
    ) throws {
        try noteLogouts()
        var claims = TextTokens.authentication("P1", "A").claims
        claims.authorizesAll = isDegraded
        let login = AuthenticationToken(text: TokenText(text), claims: claims)
        try store.save(login, metadata: nil, canAuthenticate: isSuccessful)
        let left = try store.unfinishedLogouts(of: "P1")
        #expect(left.pending == (isReplaced ? ["B"] : ["A", "B"]))
        #expect(left.isOfEveryLogin)
        #expect(left.newer == (isReplaced ? ["A"] : []))
        #expect(left.concerns("A") == !isReplaced)
        #expect(left.concerns("B") && left.concerns("C"))
        // Another requestor's logouts are those of its own logins.
        let other = try store.unfinishedLogouts(of: "P2")
        #expect(other.isOfEveryLogin && other.newer.isEmpty)
        #expect(try store.canAuthenticate(requestorID: "P1", mvpdID: "A") == isSuccessful)
    }

    /// Without a pending logout of every login, nothing has to be excluded from it.
    @Test func aLogin_isNotedAsNewer_onlyBesideALogoutOfEveryLogin() throws {
        try store.change { entitlements throws(StorageError) in
            try entitlements.noteLogout(requestorID: "P1", mvpdID: "A")
        }
        try store.save(TextTokens.authentication("P1", "A", text: "{}"), metadata: nil)
        #expect(try store.unfinishedLogouts(of: "P1") == UnfinishedLogouts())
        #expect(backend.keys(under: StorageKey("logout")).isEmpty)
    }

    @Test func aFinishedLogout_isThatOfItsProvider_andOfItsRequestor() throws {
        try noteLogouts()
        let noted = try store.unfinishedLogouts(of: "P1")
        try store.change { entitlements throws(StorageError) in
            try entitlements.finishLogout(requestorID: "P1", mvpdID: "A", asOf: noted)
        }
        let left = try store.unfinishedLogouts(of: "P1")
        #expect(left.pending == ["B"] && left.isOfEveryLogin)
        try store.change { entitlements throws(StorageError) in try entitlements.finishLogouts(of: "P1", asOf: left) }
        #expect(try store.unfinishedLogouts(of: "P1").isEmpty)
        #expect(try store.unfinishedLogouts(of: "P2").isOfEveryLogin)
    }

    /// A login of yesterday is not excluded from a logout of today.
    @Test func aNewLogoutOfEveryLogin_concernsTheNewerLoginsToo() throws {
        try noteLogouts()
        try store.save(TextTokens.authentication("P1", "A", text: "{}"), metadata: nil)
        #expect(try !store.unfinishedLogouts(of: "P1").concerns("A"))
        try store.change { entitlements throws(StorageError) in try entitlements.endEveryLogin(of: ["P1"]) }
        let left = try store.unfinishedLogouts(of: "P1")
        #expect(left.newer.isEmpty && left.concerns("A"))
    }

    @Test(
        arguments: [
            ([], false, [], false), (["A"], false, [], true), (["B"], false, [], false), ([], true, [], true),
            ([], true, ["B"], true), ([], true, ["A"], false), (["A"], true, ["A"], true), ([], false, ["A"], false),
        ] as [([MVPDID], Bool, [MVPDID], Bool)])
    func aLogout_concernsAProvider(pending: [MVPDID], isOfEveryLogin: Bool, newer: [MVPDID], concerns: Bool) {
        var logouts = UnfinishedLogouts()
        logouts.pending = pending
        logouts.isOfEveryLogin = isOfEveryLogin
        logouts.newer = newer
        #expect(logouts.concerns("A") == concerns)
        #expect(logouts.isEmpty == (pending.isEmpty && !isOfEveryLogin))
    }

    /// Earlier versions noted here that a logout had ended.
    @Test(arguments: [
        ("1 ff", true), ("1", true), ("ended", false), ("ended 5", false), ("\u{FFFD}", true), ("", true),
    ])
    func aNote_isALogout_unlessAnEarlierVersionHasEndedIt(note: String, isPending: Bool) throws {
        backend.apply([.put(StorageKey("logout", "P1", "f", "mvpd", "A"), Data(note.utf8))])
        #expect(try store.unfinishedLogouts(of: "P1").pending == (isPending ? ["A"] : []))
    }

    @Test func aLoginBesideTheChoice_leavesTheChoice() throws {
        try store.save(TextTokens.authentication("P1", "A"), metadata: nil)
        try store.change { entitlements throws(StorageError) in
            try entitlements.save(
                TextTokens.authentication("P1", "B"), metadata: nil, isFromPlatform: true, isOfChoice: false)
        }
        #expect(try store.currentProvider(of: "P1") == "A")
        for (provider, isFromPlatform) in [("A", false), ("B", true)] as [(MVPDID, Bool)] {
            #expect(try store.authenticationToken(requestorID: "P1", mvpdID: provider) != nil)
            #expect(try store.isFromPlatform(requestorID: "P1", mvpdID: provider) == isFromPlatform)
        }
        // A later login of the viewer's own is none of the platform.
        try store.save(TextTokens.authentication("P1", "B"), metadata: nil)
        #expect(try !store.isFromPlatform(requestorID: "P1", mvpdID: "B") && store.currentProvider(of: "P1") == "B")
    }

    @Test func aCancelledChoice_isNoOpenOne() throws {
        #expect(try !store.isProviderDeselected(for: "P1"))
        try store.setCurrentProvider("A", of: "P1")
        #expect(try !store.isProviderDeselected(for: "P1"))
        try store.setCurrentProvider(nil, of: "P1")
        #expect(try store.isProviderDeselected(for: "P1") && !store.isProviderDeselected(for: "P2"))
    }

    /// The service tokens of the households that the device has left may be valid for long.
    @Test(arguments: ["P1", nil] as [RequestorID?])
    func aDevice_leavesEveryHousehold_butThatOfTheRequestor(kept: RequestorID?) throws {
        let installation = InstallationStore(backend: backend)
        let membership = StoredMembership(token: "t", expires: Date(timeIntervalSince1970: 1), account: nil)
        let members = [("P1", "f"), ("P2", "f"), ("P1", "another")] as [(RequestorID, String)]
        for (requestor, device) in members {
            try installation.setMembership(membership, requestorID: requestor, fingerprint: device)
        }
        try store.change { entitlements throws(StorageError) in try entitlements.leaveHouseholds(but: kept) }
        let left = try members.filter { requestor, device in
            try installation.membership(requestorID: requestor, fingerprint: device) != nil
        }
        #expect(left.map(\.0) == (kept == nil ? [] : ["P1"]) && left.allSatisfy { $0.1 == "f" })
    }
}
