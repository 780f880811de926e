import Crypto
package import Foundation
import TVEModels

/// The state of a running sandbox: registrations, codes, logins; and the world for one request.
///
/// One lock guards all tables, and is held for short times only. Copies share it.
package struct SandboxState: Sendable {
    /// The world for the current request; it may be another one for the next.
    package private(set) var world: SandboxWorld
    package let key: SandboxKey
    package let softwareStatement: String
    /// Signs values that the sandbox sends to itself: device signatures and SAML answers.
    let secret: SymmetricKey
    /// How many seconds the service's clock is ahead; a fault.
    var clockOffset: TimeInterval = 0
    /// Whether signatures of tokens are wrong; a fault.
    var signsWrongly = false
    /// The faults of this request.
    var faults: [SandboxWorld.Fault] = []
    /// What the faults of this request do to its login.
    var scenario = Scenario()
    private let clock: @Sendable () -> Date
    private let tables = Guarded(Tables())

    struct Tables: Codable {
        var clients: [ExactText: RegisteredClient] = [:]
        /// Client id by access token.
        var accessTokens = ExpiringTable<String>()
        var codes = ExpiringTable<RegistrationCode>()
        /// By relay state.
        var pending = ExpiringTable<PendingLogin>()
        /// By session index.
        var logins = ExpiringTable<Login>()
        /// Session index by value of the cookie JSESSIONID.
        var browsers = ExpiringTable<String>()
        /// Session index by name id.
        var names = ExpiringTable<String>()
        /// Session index by the keyed hash of an AuthZ token.
        var authorized = ExpiringTable<String>()
        /// They last as long as the sandbox.
        var trials: [Trial.Holder: Trial] = [:]
        /// How often in a row a login was denied a resource.
        var denials: [DeniedResource: Int] = [:]
        /// Session index of logins with the platform's sign-on, by device, requestor and provider.
        var platformLogins = ExpiringTable<String>()
        var throttle = Throttle()
        /// Which devices asked about which codes just now.
        var polls = ExpiringTable<Bool>()
        /// Session index of the profiles of REST API v2, by application, device, service provider and MVPD.
        var profiles = ExpiringTable<String>()
        /// Session index of profiles that several devices share, by the viewer's identity, service provider and MVPD.
        var sharedProfiles = ExpiringTable<String>()
        /// The newest code of an application on a device for a service provider.
        var newestCodes = ExpiringTable<String>()
        /// Decisions that the service remembers, by session index and resource.
        var decisions = ExpiringTable<RememberedDecision>()
        /// Nil before the first household, and in snapshots of earlier versions.
        private var keptHouseholds: HouseholdTables?
        var households: HouseholdTables {
            get { keptHouseholds ?? HouseholdTables() }
            set { keptHouseholds = newValue }
        }

        /// What a snapshot keeps.
        ///
        /// A login whose page is open begins again, and who has asked just now does not matter.
        private enum CodingKeys: String, CodingKey {
            case clients, accessTokens, codes, logins, browsers, names, authorized, trials, denials, platformLogins
            case profiles, sharedProfiles, newestCodes, decisions
            case keptHouseholds = "households"
        }
    }

    init(
        world: SandboxWorld, key: SandboxKey, secret: SymmetricKey, softwareStatement: String,
        now: @escaping @Sendable () -> Date
    ) {
        self.world = world
        self.key = key
        self.secret = secret
        self.softwareStatement = softwareStatement
        self.clock = now
    }

    package var now: Date { clock().addingTimeInterval(clockOffset) }

    /// The same state with another world.
    func with(_ world: SandboxWorld) -> SandboxState {
        var state = self
        state.world = world
        return state
    }

    /// - Throws: any error of the cryptographic library.
    func sign(_ body: String) throws -> TokenText {
        try key.sign(signsWrongly ? body + "\n" : body, as: body)
    }

    /// Reads or changes the tables; the closure receives the current time.
    func withTables<Value: Sendable>(_ body: (inout Tables, Date) -> Value) -> Value {
        let now = now
        return tables.withLock { body(&$0, now) }
    }

    /// Whether the throttle lets a request pass.
    ///
    /// The service tells devices apart by their addresses. On one machine all have the same, so their ids count as well.
    func admits(_ request: SandboxRequest) -> Bool {
        guard world.behavior.isThrottled else { return true }
        let device = request.header("AP-Device-Identifier").map { "\(request.address) \($0)" } ?? request.address
        return withTables { $0.throttle.admits(device, at: $1) }
    }

    /// Whether a device may ask about a code again: every three seconds (REST API v2, 9.9).
    func admitsPoll(of code: String, by owner: ProfileOwner) -> Bool {
        guard world.behavior.isThrottled else { return true }
        return withTables { tables, now in
            let key = Self.key(code, owner.key)
            guard tables.polls.entry(key, at: now) == nil else { return false }
            tables.polls.set(true, key, until: now.addingTimeInterval(Throttle.pollPause), at: now)
            return true
        }
    }

    /// The redirects that are registered for an application; none means that any may be used.
    func redirects(of client: RegisteredClient) -> [String] {
        world.behavior.restV2.redirectURLs + [client.redirectURL].compactMap(\.self)
    }

    /// A registration code, in upper case.
    func code(_ text: String) -> RegistrationCode? { withTables { $0.codes.entry(text, at: $1) } }

    /// The login of a session index, unless it has ended.
    func login(_ index: String) -> Login? { withTables { $0.login(index, $1) } }

    func requestor(_ id: RequestorID) -> SandboxWorld.Requestor? { world.requestors.first { $0.id == id } }

    /// The provider, if this requestor works with it.
    func provider(_ id: MVPDID, of requestorID: RequestorID) -> SandboxWorld.Provider? {
        guard requestor(requestorID)?.providers.contains(id) == true else { return nil }
        return world.provider(id)
    }

    /// Whether a token of one requestor counts for another: both work with the provider, which does not authenticate
    /// per requestor.
    func shares(_ mvpdID: MVPDID, _ first: RequestorID, _ second: RequestorID) -> Bool {
        guard let provider = provider(mvpdID, of: first), self.provider(mvpdID, of: second) != nil else { return false }
        return first == second || provider.authenticatesPerRequestor != true
    }

    /// A date as the tokens of this world print it.
    func tokenDate(_ date: Date) -> TokenDate {
        TokenDate(
            secondsSince1970: Int64(bounded: date.timeIntervalSince1970),
            utcOffsetMinutes: world.behavior.tokenUTCOffsetMinutes)
    }

    /// One key from several texts, with unambiguous boundaries.
    static func key(_ parts: String...) -> String {
        parts.map { "\($0.utf8.count):\($0)" }.joined()
    }

    /// 32 random lowercase hexadecimal characters.
    static func randomID() -> String {
        (0..<16).map { _ in UInt8.random(in: .min ... .max) }.hexadecimal
    }

    /// The keyed hash of a text, in lowercase hexadecimal.
    func seal(_ text: String) -> String {
        HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: secret).hexadecimal
    }

    /// Whether the keyed hash belongs to the text; compares in constant time.
    func isSeal(_ seal: String, of text: String) -> Bool {
        self.seal(text).isSameInConstantTime(as: seal)
    }
}

extension String {
    /// Whether the other text has the same bytes; the time says nothing about the first difference.
    func isSameInConstantTime(as other: String) -> Bool {
        let (left, right) = (Array(utf8), Array(other.utf8))
        return left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
