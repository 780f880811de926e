import Foundation
import TVEModels
import TVEStorage
import TVETestTraits
import Testing

struct EntitlementStoreTests {
    private let backend = MemoryStorage()
    private var installation: InstallationStore { InstallationStore(backend: backend) }
    private var store: EntitlementStore { EntitlementStore(backend) }

    @Test func keepsALogin_withItsMetadataAndProvider() throws {
        let metadata = UserMetadata(updated: Date(timeIntervalSince1970: 5), data: ["zip": .string("1")])
        try store.save(TextTokens.authentication("P1", "A"), metadata: metadata)
        #expect(try store.authenticationToken(requestorID: "P1", mvpdID: "A")?.text.rawValue == "P1,A")
        #expect(try store.userMetadata(requestorID: "P1", mvpdID: "A") == metadata)
        #expect(try store.currentProvider(of: "P1") == "A")
        #expect(try store.canAuthenticate(requestorID: "P1", mvpdID: "A"))
    }

    @Test(.row("T-04")) func replacesTheToken_ofTheSameResource() throws {
        try store.save(TextTokens.authorization("P1", "A", for: "R1", text: "P1,A,R1,old"), mvpdID: "A", metadata: nil)
        try store.save(TextTokens.authorization("P1", "A", for: "R1", text: "P1,A,R1,new"), mvpdID: "A", metadata: nil)
        let kept = try store.authorizationToken(for: "R1", requestorID: "P1", mvpdID: "A")
        #expect(kept?.text.rawValue == "P1,A,R1,new")
        #expect(backend.keys(under: StorageKey("requestor")).count == 1)
    }

    @Test(.row("T-05")) func keepsTokens_ofSeveralResources() throws {
        for resource in ["R1", "R2", "r1", "R/1"] as [Resource] {
            try store.save(TextTokens.authorization("P1", "A", for: resource), mvpdID: "A", metadata: nil)
        }
        for resource in ["R1", "R2", "r1", "R/1"] as [Resource] {
            let kept = try store.authorizationToken(for: resource, requestorID: "P1", mvpdID: "A")
            #expect(kept?.claims.resource == resource)
        }
        #expect(try store.authorizationToken(for: "R3", requestorID: "P1", mvpdID: "A") == nil)
    }

    @Test(arguments: ["", String(repeating: "long", count: 20)])
    func findsTheToken_whateverTheLineEndsOfItsResource(more: String) throws {
        let token = TextTokens.authorization("P1", "A", for: Resource("a\nb\n\(more)"))
        try store.save(token, mvpdID: "A", metadata: nil)
        for text in ["a\r\nb\r\n", "a\rb\r", "a\nb\n"] {
            let kept = try store.authorizationToken(for: Resource(text + more), requestorID: "P1", mvpdID: "A")
            #expect(kept == token)
        }
        let other = try store.authorizationToken(for: Resource("a\nb\n\n\(more)"), requestorID: "P1", mvpdID: "A")
        #expect(other == nil)
    }

    @Test(.row("T-10")) func keepsTheLogins_ofSeveralRequestors() throws {
        try store.save(TextTokens.authentication("P1", "A"), metadata: nil)
        try store.save(TextTokens.authentication("P2", "B"), metadata: nil)
        #expect(try store.authenticationToken(requestorID: "P1", mvpdID: "A") != nil)
        #expect(try store.authenticationToken(requestorID: "P2", mvpdID: "B") != nil)
        #expect(try store.currentProvider(of: "P1") == "A")
        // The requestor's own login is not one of the shared logins.
        let shared = try store.sharedAuthenticationTokens(with: "P1", mvpdIDs: ["A", "B"])
        #expect(shared.map(\.claims.requestorID) == ["P2"])
    }

    @Test func aLoginThatNeedsAPickerNextTime_leavesNoNote() throws {
        try store.save(TextTokens.authentication("P1", "A"), metadata: nil, canAuthenticate: false)
        #expect(try !store.canAuthenticate(requestorID: "P1", mvpdID: "A"))
    }

    @Test(.row("T-14")) func forgetsOnlyTheChoice_ofOneRequestor() throws {
        try store.save(TextTokens.authentication("P1", "A"), metadata: nil)
        try store.save(TextTokens.authentication("P2", "B"), metadata: nil)
        try store.setCurrentProvider(nil, of: "P1")
        #expect(try store.currentProvider(of: "P1") == nil)
        #expect(try store.authenticationToken(requestorID: "P1", mvpdID: "A") != nil)
        #expect(try store.currentProvider(of: "P2") == "B")
    }

    @Test(.row("T-15")) func wipesEveryEntitlement_andKeepsTheInstallation() throws {
        try store.save(TextTokens.authentication("P1", "A"), metadata: nil)
        try store.save(TextTokens.authentication("P2", "B"), metadata: nil)
        try installation.setRegistration(Data([1]), of: "app")
        let seed = try installation.deviceSeed { "seed" }
        try store.removeAllEntitlements()
        #expect(backend.keys(under: StorageKey("requestor")).isEmpty)
        #expect(try installation.registration(of: "app") == Data([1]))
        #expect(try installation.deviceSeed { "another" } == seed)
    }

    @Test func wipesOneRequestor_andNoOther() throws {
        try store.save(TextTokens.authentication("P1", "A"), metadata: nil)
        try store.save(TextTokens.authentication("P10", "A"), metadata: nil)
        try store.removeEntitlements(of: "P1")
        #expect(try store.authenticationToken(requestorID: "P1", mvpdID: "A") == nil)
        #expect(try store.authenticationToken(requestorID: "P10", mvpdID: "A") != nil)
    }

    @Test func dropsPermissionsOfAnEarlierLogin_withTheSameProvider() throws {
        try store.save(TextTokens.authentication("P1", "A"), metadata: nil)
        try store.save(TextTokens.authorization("P1", "A", for: "R1"), mvpdID: "A", metadata: nil)
        try store.save(TextTokens.authentication("P1", "A"), metadata: nil)
        #expect(try store.authorizationToken(for: "R1", requestorID: "P1", mvpdID: "A") == nil)
    }

    @Test func reportsAValueNobodyCanRead_andKeepsIt() throws {
        try store.save(TextTokens.authentication("P1", "A"), metadata: nil)
        let key = StorageKey("requestor", "P1", "f", "mvpd", "A", "authn")
        try backend.apply([.put(key, Data("garbage".utf8))])
        #expect(throws: StorageError.invalidValue(key)) {
            try store.authenticationToken(requestorID: "P1", mvpdID: "A")
        }
        #expect(backend.value(for: key) == Data("garbage".utf8))
    }

    @Test func clearsTheMark_ofAFailedLogin() throws {
        try store.save(TextTokens.authentication("P1", "A"), metadata: nil)
        try store.clearCanAuthenticate(requestorID: "P1", mvpdID: "A")
        #expect(try !store.canAuthenticate(requestorID: "P1", mvpdID: "A"))
        #expect(try store.authenticationToken(requestorID: "P1", mvpdID: "A") != nil)
    }

    @Test func keepsTheLoginOfAProxiedProvider_underTheChosenOne() throws {
        let reader = StoredTokenReader(
            authentication: { _ in
                var claims = AuthenticationToken.Claims(
                    authenticationGUID: "g", requestorID: "P1", expires: TokenDate(secondsSince1970: 0),
                    mvpdID: "proxy",
                    fingerprint: "f")
                claims.subMVPDID = "chosen"
                return AuthenticationToken(text: TokenText("x"), claims: claims)
            }, authorization: { TextTokens.authorization("P1", "proxy", for: Resource($0)) })
        let store = EntitlementStore(backend: backend, reader: reader, fingerprint: "f")
        try store.save(try reader.authentication(""), metadata: nil)
        #expect(try store.currentProvider(of: "P1") == "chosen")
        #expect(try store.authenticationToken(requestorID: "P1", mvpdID: "chosen") != nil)
    }

    /// A system that has no id may report an empty one, which every later start would refuse to read.
    @Test func keepsNoEmptyTextForTheDevice() throws {
        let seed = StorageError.invalidValue(StorageKey("device", "seed"))
        #expect(throws: seed) { try installation.deviceSeed { "" } }
        #expect(try installation.deviceSeed { "first" } == "first")
        let id = StorageError.invalidValue(StorageKey("device", "id"))
        #expect(throws: id) { try installation.keepFirstDeviceID("") }
        #expect(try installation.keepFirstDeviceID("A") == "A")
    }

    @Test func keepsTheFirstDeviceSeed_whoeverComesLater() throws {
        #expect(try installation.deviceSeed { "first" } == "first")
        // This imitates a second process that has read before the first one wrote.
        try backend.apply([.putIfAbsent(StorageKey("device", "seed"), Data("second".utf8))])
        #expect(try installation.deviceSeed { "third" } == "first")
    }

    @Test func aNewLogin_takesThePermissionsOfTheOldOne_fromEveryRequestor() throws {
        try store.save(TextTokens.authentication("P1", "A"), metadata: nil)
        try store.save(TextTokens.authorization("P2", "A", for: "R"), mvpdID: "A", metadata: nil)
        try store.save(TextTokens.authorization("P2", "B", for: "R"), mvpdID: "B", metadata: nil)
        let other = EntitlementStore(backend: backend, reader: TextTokens.reader, fingerprint: "another device")
        try other.save(TextTokens.authorization("P2", "A", for: "R"), mvpdID: "A", metadata: nil)
        try store.save(TextTokens.authentication("P1", "A"), metadata: nil)
        #expect(try store.authorizationToken(for: "R", requestorID: "P2", mvpdID: "A") == nil)
        #expect(try store.authorizationToken(for: "R", requestorID: "P2", mvpdID: "B") != nil)
        #expect(try other.authorizationToken(for: "R", requestorID: "P2", mvpdID: "A") != nil)
    }

    @Test func aChange_readsWhatItHasDecided() throws {
        try store.save(TextTokens.authentication("P1", "A"), metadata: nil)
        try store.change { entitlements throws(StorageError) in
            try entitlements.save(TextTokens.authentication("P2", "B"), metadata: nil)
            try entitlements.removeAllEntitlements()
            for (requestor, provider) in [("P1", "A"), ("P2", "B")] as [(RequestorID, MVPDID)] {
                let token = try entitlements.authenticationToken(requestorID: requestor, mvpdID: provider)
                #expect(token == nil, "\(requestor)")
            }
            let keys = try entitlements.values.keys(under: StorageKey("requestor"))
            #expect(keys == [])
        }
        #expect(backend.keys(under: StorageKey("requestor")) == [])
    }

    /// P2 uses the login of P1, P3 has a login of its own, and P4 shares a login with another provider.
    @Test func aNewLogin_leavesNothingAboutTheViewerBefore() throws {
        func metadata(_ name: String) -> UserMetadata {
            UserMetadata(updated: Date(timeIntervalSince1970: 5), data: ["name": .string(name)])
        }
        try store.save(TextTokens.authentication("P1", "A"), metadata: metadata("first"))
        try store.save(TextTokens.authentication("P3", "A"), metadata: metadata("own"))
        let decisions = [PreauthorizationDecision(resource: "R", isAuthorized: true)]
        for (requestor, provider) in [("P1", "A"), ("P2", "A"), ("P4", "B")] as [(RequestorID, MVPDID)] {
            let permission = TextTokens.authorization(requestor, provider, for: "R")
            try store.save(permission, mvpdID: provider, metadata: metadata("first"))
            try store.save(decisions, requestorID: requestor, mvpdID: provider)
        }
        try store.save(TextTokens.authentication("P1", "A", text: "P1,A@9"), metadata: nil)
        for (requestor, provider, isLeft) in [
            ("P1", "A", false), ("P2", "A", false), ("P3", "A", true), ("P4", "B", true),
        ]
            as [(RequestorID, MVPDID, Bool)]
        {
            let left = try store.userMetadata(requestorID: requestor, mvpdID: provider)
            #expect((left != nil) == isLeft, "metadata of \(requestor)")
            guard requestor != "P3" else { continue }
            let kept = try store.preauthorization(of: ["R"], requestorID: requestor, mvpdID: provider)
            #expect((kept != nil) == isLeft, "decisions of \(requestor)")
            let permission = try store.authorizationToken(for: "R", requestorID: requestor, mvpdID: provider)
            #expect((permission != nil) == isLeft, "permission of \(requestor)")
        }
    }

    /// The record of a successful login remains only if the service ended the login.
    @Test(arguments: LoginEnd.allCases)
    func anEnd_removesWhatItReaches_andNothingElse(end: LoginEnd) throws {
        for (requestor, provider) in [("P1", "A"), ("P1", "B"), ("P2", "A")] as [(RequestorID, MVPDID)] {
            try store.save(TextTokens.authentication(requestor, provider), metadata: nil)
        }
        let permission = TextTokens.authorization("P1", "A", for: "R")
        try store.save(permission, mvpdID: "A", metadata: UserMetadata(updated: .distantPast, data: [:]))
        try store.save([PreauthorizationDecision(resource: "R", isAuthorized: true)], requestorID: "P1", mvpdID: "A")
        // A value that a repair has set aside may be a login.
        let aside = StorageKey("quarantine", "requestor/P1/f/mvpd/A/authn")
        backend.apply([.put(aside, Data("P1,A".utf8))])
        try carryOut(end, in: backend)
        #expect((backend.value(for: aside) != nil) == !end.isOfEverybody)
        let left = backend.keys(under: StorageKey("requestor", "P1", "f", "mvpd", "A")).map { $0.components.last }
        let isByService = end == .unknownToService
        #expect(left == (isByService ? ["canAuthenticate"] : []))
        func isThere(_ requestor: RequestorID, _ provider: MVPDID) throws -> Bool {
            try store.authenticationToken(requestorID: requestor, mvpdID: provider) != nil
        }
        #expect(try isThere("P1", "B") == (isByService || end == .removed))
        #expect(try isThere("P2", "A") == !end.isOfEverybody)
    }

    @Test(.row("T-15")) func keepsPreauthorization_forExactlyTheSameSet_untilTheLogout() throws {
        let decisions = [
            PreauthorizationDecision(resource: "R1", isAuthorized: true),
            PreauthorizationDecision(
                resource: "<rss>&</rss>", isAuthorized: false, error: EnhancedError(status: 403, code: "denied")),
        ]
        func kept(_ resources: Set<Resource>) throws -> [PreauthorizationDecision]? {
            try store.preauthorization(of: resources, requestorID: "P1", mvpdID: "A")
        }
        try store.save(TextTokens.authentication("P1", "A"), metadata: nil)
        #expect(try kept(["R1"]) == nil)
        try store.save(decisions, requestorID: "P1", mvpdID: "A")
        #expect(try kept(["<rss>&</rss>", "R1"]) == decisions)
        #expect(try kept(["R1"]) == nil)
        #expect(try kept(["R1", "<rss>&</rss>", "R3"]) == nil)
        #expect(try store.preauthorization(of: ["<rss>&</rss>", "R1"], requestorID: "P1", mvpdID: "B") == nil)
        #expect(store.check(.report).problems == [])
        try store.removeAllEntitlements()
        #expect(try kept(["<rss>&</rss>", "R1"]) == nil)
    }

    @Test func aLogout_isNoted_forEveryRequestorWhoseViewerHasBegunToLogIn() throws {
        for requestor: RequestorID in ["P1", "P1", "P2"] {
            try store.change { entitlements throws(StorageError) in
                try entitlements.noteBegunLogin(of: requestor)
            }
        }
        #expect(try store.unfinishedLogouts(of: "P1").isEmpty)
        for _ in 1...2 {
            try store.removeAllEntitlements()
            for requestor: RequestorID in ["P1", "P2"] {
                let left = try store.unfinishedLogouts(of: requestor)
                #expect(left.isOfEveryLogin)
                try store.change { entitlements throws(StorageError) in
                    try entitlements.finishLogouts(of: requestor, asOf: left)
                }
                // The code of an earlier login may still be typed, and a later logout ends that login too.
                #expect(try store.unfinishedLogouts(of: requestor).isEmpty)
            }
        }
        #expect(try store.unfinishedLogouts(of: "P3").isEmpty)
    }

    /// Another provider's name and logo, or its domains, would be shown and trusted without a network.
    @Test func theDescriptionOfAProvider_isThatOfTheChoiceAlone() throws {
        let providers = ["A", "B"].map { TVProvider(id: MVPDID($0), displayName: $0, logoURL: "https://example.com/") }
        let requestor = Requestor(id: "P1", name: "P", domains: ["a.example"], providers: providers)
        for (choice, isKept) in [(nil, false), ("A", true), ("C", false), ("B", true)] as [(MVPDID?, Bool)] {
            try store.setCurrentProvider(choice, of: "P1")
            #expect(try store.storedProvider(of: "P1") == nil)
            try store.change { entitlements throws(StorageError) in try entitlements.keepProvider(from: requestor) }
            let stored = try store.storedProvider(of: "P1")
            #expect(stored?.provider.id == (isKept ? choice : nil))
            #expect(stored?.domains == (isKept ? ["a.example"] : nil))
            #expect(try store.storedProvider(of: "P2") == nil)
        }
    }

    /// Every later version must find the values that this one has stored.
    @Test func everyEntryHasItsKey_andIsKnownByIt() throws {
        let place = LegacyStore(backend: MemoryStorage(), layout: .singleSlot(StorageKey("slot")), name: "place")
        try store.importLogin(of: "P3", from: [place], at: Date(timeIntervalSince1970: 1_000))
        try store.removeEntitlements(of: "P2")
        try store.change { entitlements throws(StorageError) in
            try entitlements.removeAllEntitlements(
                pending: [TextTokens.authentication("P2", "B")], everyLoginOf: ["P2"])
        }
        let told = try store.unfinishedLogouts(of: "P2")
        try store.change { entitlements throws(StorageError) in
            try entitlements.settleLogouts(requestorID: "P2", mvpdID: "C", asOf: told)
            let metadata = UserMetadata(updated: Date(timeIntervalSince1970: 5), data: [:])
            try entitlements.save(TextTokens.authentication("P/1", "A%"), metadata: metadata, isFromPlatform: true)
            try entitlements.save(TextTokens.authorization("P/1", "A%", for: "R/1"), mvpdID: "A%", metadata: nil)
            try entitlements.save(
                [PreauthorizationDecision(resource: "R", isAuthorized: true)], requestorID: "P/1", mvpdID: "A%")
            try entitlements.setPendingLogin(Data([1]), of: "P/1")
            try entitlements.noteBegunLogin(of: "P/1")
            let provider = TVProvider(id: "A%", displayName: "A", logoURL: "https://example.com/a.png")
            try entitlements.keepProvider(
                from: Requestor(id: "P/1", name: "P", providers: [provider]))
        }
        try installation.setRegistration(Data("registered".utf8), of: "app")
        _ = try installation.deviceSeed { "seed" }
        let login = "requestor/P%2F1/f/mvpd/A%25"
        #expect(
            backend.keys(under: .everything).map(\.rawValue).sorted() == [
                "begun/P%2F1/f", "device/seed", "imported/P2/f", "imported/P3/f/place", "imported/closed",
                "logout/P2/f/all", "logout/P2/f/mvpd/B", "logout/P2/f/newer/C", "registration/app",
                "requestor/P%2F1/f/card", "requestor/P%2F1/f/current",
                "\(login)/authn", "\(login)/authz/R%2F1", "\(login)/canAuthenticate", "\(login)/metadata",
                "\(login)/platform", "\(login)/preauthorization", "requestor/P%2F1/f/pending",
            ])
        let report = store.check(.report)
        #expect(report.checked == 18 && report.problems == [] && report.unknownEntries == [])
        let left = try store.unfinishedLogouts(of: "P2")
        #expect(left.isOfEveryLogin && left.pending == ["B"] && left.newer == ["C"])
        #expect(left.concerns("B") && left.concerns("D") && !left.concerns("C"))
        #expect(try store.sharedAuthenticationTokens(with: "P2", mvpdIDs: ["A%"]).count == 1)
    }
}
