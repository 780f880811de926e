import Foundation
import TVEModels

/// An entry of the store, which defines the names and the order of the components of every key that this version knows.
///
/// Only ``key`` writes keys and only ``init(_:)`` parses them, and an entry's key is parsed as the same entry.
enum StoredEntry: Hashable, Sendable {
    // requestor → device → TV provider → tokens
    case currentProvider(Owner)
    /// The description of the current provider that flows need.
    case providerDescription(Owner)
    case pendingLogin(Owner)
    case authentication(Login)
    case authorization(Login, ResourceName)
    case metadata(Login)
    /// The service's last answer about a set of resources.
    case preauthorization(Login)
    case canAuthenticate(Login)
    /// A mark of a login that came from the platform's sign-on.
    case platform(Login)

    // Logins whose end a service has yet to receive.
    case endOfEveryLogin(Owner)
    case end(Login)
    /// A login that was made after the record of the end of every login.
    case newerLogin(Login)
    /// A mark that a viewer has begun a login at a service that stores the logins.
    case begunLogin(Owner)

    // Marks of the importer.
    /// A mark that ends the import of logins for all requestors.
    case importsAreOver
    /// A mark that ends the import of logins for one requestor on a device.
    case importsAreOverFor(Owner)
    /// A mark that an older store was read for a requestor on a device.
    case legacyStoreWasRead(Owner, name: String)

    // Values of the installation.
    case registration(application: String)
    /// The random text that identifies the device if the system has no id of its own.
    case deviceSeed
    /// The first id of the device, stored because the system's id may change.
    case deviceID
    /// The membership of a device in a household, for a requestor.
    case household(Owner)
    /// A value that ``StorageBackend/probe()`` stores.
    case probe(String)

    /// A requestor on a device, which the fingerprint in its tokens identifies.
    struct Owner: Hashable, Sendable {
        let requestorID: RequestorID
        @BytewiseEqual var fingerprint: String
    }

    /// The login of a requestor with a TV provider on a device.
    struct Login: Hashable, Sendable {
        let owner: Owner
        let mvpdID: MVPDID
    }

    // MARK: - Names

    /// The names in the keys, which are on the medium and therefore never change.
    ///
    /// The names that most keys have come first, because a name is looked up in this order.
    fileprivate enum Name: String {
        case requestor, mvpd, authz, authn
        case authzSHA256 = "authz-sha256"
        case metadata, preauthorization, canAuthenticate, platform
        case current, card, pending
        case logout, all, newer
        case begun
        case imported, closed
        case registration
        case device, seed, id
        case household, probe, quarantine
    }

    // MARK: - Parents of keys

    static let entitlements = StorageKey(Name.requestor.rawValue)
    static let logouts = StorageKey(Name.logout.rawValue)
    static let begunLogins = StorageKey(Name.begun.rawValue)
    static let imports = StorageKey(Name.imported.rawValue)
    static let registrations = StorageKey(Name.registration.rawValue)
    static let devices = StorageKey(Name.device.rawValue)
    static let households = StorageKey(Name.household.rawValue)
    static let probes = StorageKey(Name.probe.rawValue)
    /// Values that a repair has set aside, under their whole keys.
    ///
    /// They are not entries.
    static let quarantine = StorageKey(Name.quarantine.rawValue)

    // MARK: - Values

    /// The value of an entry that matters only by its existence.
    static let yes = Data("1".utf8)

    /// Reads metadata or decisions, or returns nil for other bytes.
    static func decoded<Value: JSONReadable>(_ bytes: Data) -> Value? {
        try? UntrustedJSON.read(Value.self, from: bytes, .answer)
    }

    /// Writes metadata or decisions.
    ///
    /// - Parameter empty: the text for values that JSON cannot express. No service sends such values.
    static func encoded(_ value: some Encodable, else empty: String) -> Data {
        (try? JSONEncoder().encode(value)) ?? Data(empty.utf8)
    }

    // MARK: - Keys

    var key: StorageKey {
        switch self {
        case .currentProvider(let owner): owner.key(in: Self.entitlements, .current)
        case .providerDescription(let owner): owner.key(in: Self.entitlements, .card)
        case .pendingLogin(let owner): owner.key(in: Self.entitlements, .pending)
        case .authentication(let login): login.key(.authn)
        case .authorization(let login, .text(let resource)): login.key(.authz, resource.text)
        case .authorization(let login, .hash(let hash)): login.key(.authzSHA256, hash)
        case .metadata(let login): login.key(.metadata)
        case .preauthorization(let login): login.key(.preauthorization)
        case .canAuthenticate(let login): login.key(.canAuthenticate)
        case .platform(let login): login.key(.platform)
        case .endOfEveryLogin(let owner): owner.key(in: Self.logouts, .all)
        case .end(let login): login.owner.key(in: Self.logouts, .mvpd, login.mvpdID.text)
        case .newerLogin(let login): login.owner.key(in: Self.logouts, .newer, login.mvpdID.text)
        case .begunLogin(let owner): owner.key(in: Self.begunLogins)
        case .importsAreOver: Self.imports.appending(Name.closed.rawValue)
        case .importsAreOverFor(let owner): owner.key(in: Self.imports)
        case .legacyStoreWasRead(let owner, let name): owner.key(in: Self.imports).appending(name)
        case .registration(let application): Self.registrations.appending(application)
        case .deviceSeed: Self.devices.appending(Name.seed.rawValue)
        case .deviceID: Self.devices.appending(Name.id.rawValue)
        case .household(let owner): owner.key(in: Self.households)
        case .probe(let name): Self.probes.appending(name)
        }
    }

    /// Parses a key, or returns nil for one that this version does not know.
    init?(_ key: StorageKey) {
        let path = key.parts
        func owner() -> Owner {
            Owner(requestorID: RequestorID(StorageKey.decoded(path[1])), fingerprint: StorageKey.decoded(path[2]))
        }
        func login() -> Login { Login(owner: owner(), mvpdID: MVPDID(StorageKey.decoded(path[4]))) }
        func name(_ place: Int) -> Name? { path.count > place ? Name(rawValue: String(path[place])) : nil }
        switch (name(0), path.count, name(3), name(5)) {
        case (.requestor, 4, .current, _): self = .currentProvider(owner())
        case (.requestor, 4, .card, _): self = .providerDescription(owner())
        case (.requestor, 4, .pending, _): self = .pendingLogin(owner())
        case (.requestor, 6, .mvpd, .authn): self = .authentication(login())
        case (.requestor, 7, .mvpd, .authz):
            self = .authorization(login(), .text(Resource(StorageKey.decoded(path[6]))))
        case (.requestor, 7, .mvpd, .authzSHA256): self = .authorization(login(), .hash(String(path[6])))
        case (.requestor, 6, .mvpd, .metadata): self = .metadata(login())
        case (.requestor, 6, .mvpd, .preauthorization): self = .preauthorization(login())
        case (.requestor, 6, .mvpd, .canAuthenticate): self = .canAuthenticate(login())
        case (.requestor, 6, .mvpd, .platform): self = .platform(login())
        case (.logout, 4, .all, _): self = .endOfEveryLogin(owner())
        case (.logout, 5, .mvpd, _): self = .end(login())
        case (.logout, 5, .newer, _): self = .newerLogin(login())
        case (.begun, 3, _, _): self = .begunLogin(owner())
        case (.imported, 2, _, _) where name(1) == .closed: self = .importsAreOver
        case (.imported, 3, _, _): self = .importsAreOverFor(owner())
        case (.imported, 4, _, _): self = .legacyStoreWasRead(owner(), name: StorageKey.decoded(path[3]))
        case (.registration, 2, _, _): self = .registration(application: StorageKey.decoded(path[1]))
        case (.device, 2, _, _) where name(1) == .seed: self = .deviceSeed
        case (.device, 2, _, _) where name(1) == .id: self = .deviceID
        case (.household, 3, _, _): self = .household(owner())
        case (.probe, 2, _, _): self = .probe(StorageKey.decoded(path[1]))
        default: return nil
        }
    }
}

extension StoredEntry.Owner {
    /// Reads the owner of an entitlement, also of one that this version does not know, or returns nil if the key has
    /// none.
    init?(ofEntitlement key: StorageKey) {
        let path = key.parts
        guard path.count >= 3, key.isInside(StoredEntry.entitlements) else { return nil }
        self.init(requestorID: RequestorID(StorageKey.decoded(path[1])), fingerprint: StorageKey.decoded(path[2]))
    }

    /// The parent of the owner's entitlements.
    var entitlements: StorageKey { key(in: StoredEntry.entitlements) }
    /// The parent of the records of the owner's logouts.
    var logouts: StorageKey { key(in: StoredEntry.logouts) }
    /// The parent of the records of logins that were made after the record of the end of every login.
    var newerLogins: StorageKey { key(in: StoredEntry.logouts, .newer) }

    /// Creates a key with all its components at once, because every read creates a key.
    fileprivate func key(in parent: StorageKey, _ name: StoredEntry.Name? = nil, _ texts: String...) -> StorageKey {
        var text = parent.rawValue
        // The capacity covers the ids and the usual names. A longer key grows once more.
        text.reserveCapacity(text.utf8.count + requestorID.text.utf8.count + fingerprint.utf8.count + 64)
        StorageKey.append(requestorID.text, to: &text)
        StorageKey.append(fingerprint, to: &text)
        if let name { StorageKey.append(name.rawValue, to: &text) }
        for component in texts { StorageKey.append(component, to: &text) }
        return StorageKey(rawValue: text)
    }
}

extension StoredEntry.Login {
    /// The parent of the login's entries.
    var entitlements: StorageKey { owner.key(in: StoredEntry.entitlements, .mvpd, mvpdID.text) }

    fileprivate func key(_ entry: StoredEntry.Name) -> StorageKey {
        owner.key(in: StoredEntry.entitlements, .mvpd, mvpdID.text, entry.rawValue)
    }

    fileprivate func key(_ entry: StoredEntry.Name, _ resource: String) -> StorageKey {
        owner.key(in: StoredEntry.entitlements, .mvpd, mvpdID.text, entry.rawValue, resource)
    }
}

extension StorageChange {
    static func put(_ entry: StoredEntry, _ value: Data) -> StorageChange { .put(entry.key, value) }
    static func putIfAbsent(_ entry: StoredEntry, _ value: Data) -> StorageChange { .putIfAbsent(entry.key, value) }
    static func remove(_ entry: StoredEntry) -> StorageChange { .remove(entry.key) }
}
