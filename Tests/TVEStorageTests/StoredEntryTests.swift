import Foundation
import TVEModels
import Testing

@testable import TVEStorage

/// The keys of all entries, which every later version must write and read in the same way.
struct StoredEntryTests {
    private static let owner = StoredEntry.Owner(requestorID: "P/1", fingerprint: "f%")
    private static let login = StoredEntry.Login(owner: owner, mvpdID: "A")
    private static let keys: [(StoredEntry, String)] = [
        (.currentProvider(owner), "requestor/P%2F1/f%25/current"),
        (.providerDescription(owner), "requestor/P%2F1/f%25/card"),
        (.pendingLogin(owner), "requestor/P%2F1/f%25/pending"),
        (.authentication(login), "requestor/P%2F1/f%25/mvpd/A/authn"),
        (.authorization(login, .text("R/1")), "requestor/P%2F1/f%25/mvpd/A/authz/R%2F1"),
        (.authorization(login, .hash("00ff")), "requestor/P%2F1/f%25/mvpd/A/authz-sha256/00ff"),
        (.metadata(login), "requestor/P%2F1/f%25/mvpd/A/metadata"),
        (.preauthorization(login), "requestor/P%2F1/f%25/mvpd/A/preauthorization"),
        (.canAuthenticate(login), "requestor/P%2F1/f%25/mvpd/A/canAuthenticate"),
        (.platform(login), "requestor/P%2F1/f%25/mvpd/A/platform"),
        (.endOfEveryLogin(owner), "logout/P%2F1/f%25/all"),
        (.end(login), "logout/P%2F1/f%25/mvpd/A"),
        (.newerLogin(login), "logout/P%2F1/f%25/newer/A"),
        (.begunLogin(owner), "begun/P%2F1/f%25"),
        (.importsAreOver, "imported/closed"),
        (.importsAreOverFor(owner), "imported/P%2F1/f%25"),
        (.legacyStoreWasRead(owner, name: "a place"), "imported/P%2F1/f%25/a place"),
        (.registration(application: "app/1"), "registration/app%2F1"),
        (.deviceSeed, "device/seed"),
        (.deviceID, "device/id"),
        (.household(owner), "household/P%2F1/f%25"),
        (.probe("x"), "probe/x"), (.probe("%2F/%25"), "probe/%252F%2F%2525"),
    ]

    @Test(arguments: keys)
    func anEntry_hasItsKey_andIsReadFromIt(entry: StoredEntry, key: String) {
        #expect(entry.key.rawValue == key)
        #expect(StoredEntry(StorageKey(rawValue: key)) == entry)
    }

    @Test(arguments: [
        "", "requestor", "requestor/P/f", "requestor/P/f/other", "requestor/P/f/mvpd/A", "requestor/P/f/mvpd/A/current",
        "requestor/P/f/mvpd/A/authz", "requestor/P/f/mvpd/A/authn/R", "requestor/P/f/other/A/authn", "logout/P/f",
        "logout/P/f/all/A", "imported", "imported/other", "device/other", "mvpd/P/f/current", "quarantine/x",
    ])
    func anotherKey_isUnknown(key: String) {
        #expect(StoredEntry(StorageKey(rawValue: key)) == nil)
    }

    @Test func keysAreRead_withTheirOwner() {
        #expect(StoredEntry.Owner(ofEntitlement: StorageKey(rawValue: "requestor/P%2F1/f%25/other")) == Self.owner)
        for key in ["requestor/P", "requestors/P/f/x", "logout/P%2F1/f%25/all"] {
            #expect(StoredEntry.Owner(ofEntitlement: StorageKey(rawValue: key)) == nil)
        }
    }

    /// The last component may be a resource, which contains a title.
    @Test func aKey_isPrintedWithoutItsLastComponent() {
        let key = StorageKey("requestor", "P1", "a title")
        var dumped = ""
        dump(key, to: &dumped)
        dump(StorageError.invalidValue(key), to: &dumped)
        for text in [dumped, "\(key)", String(reflecting: [key])] {
            #expect(text.contains("requestor/P1/…") && !text.contains("title"))
        }
    }

    /// Earlier versions did not record which device made the household, and when the token came.
    @Test func aMembershipOfAnEarlierVersion_isRead() throws {
        let bytes = Data(#"{"state":"member","token":"t","expires":1,"account":"a"}"#.utf8)
        let known: StoredMembership? = StoredEntry.decoded(bytes)
        var membership = try #require(known)
        #expect(membership.account == "a" && membership.isMadeHere == nil && membership.received == nil)
        membership.isMadeHere = true
        membership.received = 1.5
        #expect(StoredEntry.decoded(StoredEntry.encoded(membership, else: "")) == membership)
    }
}
