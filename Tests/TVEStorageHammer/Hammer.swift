import Crypto
import Foundation
import TVEModels
import TVEStorage
import TVETestSupport

/// The operations of one process on the store.
struct Hammer {
    private let number: Int
    private let sealed: SealedStorage
    private let store: EntitlementStore
    private let places: [LegacyStore]
    private var random: SeededRandom
    private var count = 0
    private let encoder = JSONEncoder()

    private static let requestors: [RequestorID] = ["P1", "P2"]
    private static let mvpds: [MVPDID] = ["A", "B", "C"]
    private static let now = Date(timeIntervalSince1970: 1_000)

    init(directory: URL, number: Int, seed: UInt64) throws {
        self.number = number
        random = SeededRandom(state: seed &* 1_000_003 &+ UInt64(number))
        // All processes have all keys, and each seals with its own.
        let keys = try (0..<4).map { try SealingKey(SymmetricKey(data: Data(repeating: UInt8($0 + 1), count: 32))) }
        let own = number % keys.count
        sealed = SealedStorage(
            // This patience suffices for each write to get the lock, however busy the machine is.
            FileStorage(directory: directory, patience: 600_000), key: keys[own],
            olderKeys: keys.indices.filter { $0 != own }.map { keys[$0] })
        store = EntitlementStore(backend: sealed, reader: HammerTokens.reader, fingerprint: "f")
        let older = MemoryStorage()
        for requestor in Self.requestors {
            older.apply([.put(StorageKey("old", requestor.text), Data("\(requestor),A,legacy-\(requestor)@5000".utf8))])
        }
        places = [LegacyStore(backend: older, layout: .perRequestor(StorageKey("old")))]
    }

    /// Performs one operation and prints its result.
    mutating func strike() {
        count += 1
        var event = HammerEvent(kind: .other, begin: HammerEvent.now(), end: 0)
        do {
            switch Int.random(in: 0..<100, using: &random) {
            case ..<25: try logIn(&event)
            case ..<30: try logOut(&event)
            case ..<55: try look(&event)
            case ..<72: try permit()
            case ..<76: try check(.all, &event)
            case ..<80: try check(.repair, &event)
            case ..<85: try sealed.reseal()
            case ..<92: try takeOver(&event)
            default: try store.removeExpired(at: Self.now)
            }
        } catch {
            event.wrong = ["\(error)"]
        }
        event.end = HammerEvent.now()
        guard var line = try? encoder.encode(event) else { return }
        line.append(UInt8(ascii: "\n"))
        FileHandle.standardOutput.write(line)
    }

    private var requestor: RequestorID { mutating get { Self.requestors.randomElement(using: &random) ?? "P1" } }
    private var mvpd: MVPDID { mutating get { Self.mvpds.randomElement(using: &random) ?? "A" } }

    private mutating func logIn(_ event: inout HammerEvent) throws {
        let requestor = requestor
        let mvpd = mvpd
        let id = "\(number)-\(count)"
        // One login in four has already expired, so that there is something to remove.
        let expires = Int.random(in: 0..<4, using: &random) == 0 ? 500 : 5_000
        let token = try HammerTokens.reader.authentication("\(requestor),\(mvpd),\(id)@\(expires)")
        try store.change { entitlements throws(StorageError) in try entitlements.save(token, metadata: nil) }
        event.kind = .logIn
        event.login = expires == 500 ? nil : id
        event.place = "\(requestor)/\(mvpd)"
    }

    private func logOut(_ event: inout HammerEvent) throws {
        try store.change { entitlements throws(StorageError) in try entitlements.removeAllEntitlements() }
        event.kind = .logOut
    }

    /// Reads all logins at one moment, and verifies that each permission belongs to the login beside it.
    private func look(_ event: inout HammerEvent) throws {
        event.kind = .look
        let found = try store.change { entitlements throws(StorageError) in
            var logins: [String: String] = [:]
            var texts: [String] = []
            var wrong: [String] = []
            let keys = try entitlements.values.keys(under: StorageKey("requestor"))
            for key in keys where key.components.count == 6 && key.components[5] == "authn" {
                let text = try entitlements.values.value(for: key).map { String(decoding: $0, as: UTF8.self) } ?? ""
                logins["\(key.components[1])/\(key.components[4])"] = HammerTokens.login(of: text)
                texts.append(text)
            }
            for key in keys where key.components.count == 7 {
                let text = try entitlements.values.value(for: key).map { String(decoding: $0, as: UTF8.self) } ?? ""
                let owner = logins["\(key.components[1])/\(key.components[4])"]
                if owner != HammerTokens.login(of: text) {
                    wrong.append("permission \(text) beside \(owner ?? "no login")")
                }
            }
            return (texts, wrong)
        }
        event.seen = found.0.filter { $0.hasSuffix("@5000") }.map(HammerTokens.login)
        if !found.1.isEmpty { event.wrong = found.1 }
    }

    /// Stores a permission for a login that was read before, like the late answer of a service.
    private mutating func permit() throws {
        guard let login = try store.authenticationTokens().randomElement(using: &random) else { return }
        let claims = login.claims
        let id = HammerTokens.login(of: login.text.rawValue)
        let token = try HammerTokens.reader.authorization(
            "\(claims.requestorID),\(claims.providerID),\(id),R\(count % 3)@5000")
        try store.change { entitlements throws(StorageError) in
            guard try entitlements.contains(login) else { return }
            try entitlements.save(token, mvpdID: claims.providerID, metadata: nil)
        }
    }

    private func check(_ mode: IntegrityMode, _ event: inout HammerEvent) throws {
        event.kind = .check
        let report = store.check(mode)
        if !report.problems.isEmpty || ![.untouched, .repaired(0)].contains(report.outcome) {
            event.wrong = ["\(report)"]
        }
    }

    private mutating func takeOver(_ event: inout HammerEvent) throws {
        let requestor = requestor
        guard let token = try store.importLogin(of: requestor, from: places, at: Self.now) else { return }
        event.kind = .imported
        event.login = HammerTokens.login(of: token.text.rawValue)
        event.place = "\(requestor)/\(token.claims.providerID)"
    }
}

/// An action or observation of a process, between two times of the system's monotonic clock, in nanoseconds.
struct HammerEvent: Codable {
    enum Kind: String, Codable {
        case logIn, logOut, imported, look, check, other
    }

    var kind: Kind
    var begin: Int
    var end: Int
    /// The login that was made or imported.
    var login: String?
    /// The requestor and the provider of the login.
    var place: String?
    /// The logins that were read.
    var seen: [String]?
    /// The violations, which are permissions of other logins, problems of a check, and errors.
    var wrong: [String]?

    static func now() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
