import Crypto
package import Foundation
import TVEModels

/// The state of a running sandbox: registrations, codes and logins, with the world that applies to one request.
///
/// One lock guards all tables and is held for short times only. Copies share the tables.
package struct SandboxState: Sendable {
    /// The world that applies to the current request.
    ///
    /// Another one may apply to the next request.
    package private(set) var world: SandboxWorld
    package let key: SandboxKey
    package let softwareStatement: String
    /// The key that signs the values that the sandbox sends to itself, such as device signatures and SAML answers.
    let secret: SymmetricKey
    /// The number of seconds by which a fault sets the service's clock ahead.
    var clockOffset: TimeInterval = 0
    /// A Boolean value that indicates whether a fault makes the signatures of tokens wrong.
    var signsWrongly = false
    /// The faults that apply to this request.
    var faults: [SandboxWorld.Fault] = []
    /// The world without the faults of this request; `nil` when no fault applies.
    var plainWorld: SandboxWorld?
    /// The record of the faults that have changed the answer to this request; `nil` when no fault applies.
    var effects: FaultEffects?
    /// The effects of this request's faults on its login.
    var scenario = Scenario()
    private let clock: @Sendable () -> Date
    private let tables = Guarded(Tables())

    struct Tables: Codable {
        var clients: [ExactText: RegisteredClient] = [:]
        /// The client ids, by access token.
        var accessTokens = ExpiringTable<String>()
        var codes = ExpiringTable<RegistrationCode>()
        /// The logins that have begun at a provider, by relay state.
        var pending = ExpiringTable<PendingLogin>()
        /// The logins, by session index.
        var logins = ExpiringTable<Login>()
        /// The session indices, by the value of the cookie JSESSIONID.
        var browsers = ExpiringTable<String>()
        /// The session indices, by name id.
        var names = ExpiringTable<String>()
        /// The session indices, by the keyed hash of an AuthZ token.
        var authorized = ExpiringTable<String>()
        /// The trials of TempPasses, which never expire as long as the sandbox runs.
        var trials: [Trial.Holder: Trial] = [:]
        /// The number of times in a row that a login has been denied a resource.
        var denials: [DeniedResource: Int] = [:]
        /// The number of denied resources at which those of logins that have ended are removed.
        private var deniedResourceLimit = 64
        /// The session indices of logins with the platform's sign-on, by device, requestor and provider.
        var platformLogins = ExpiringTable<String>()
        var throttle = Throttle()
        /// The devices that have just asked for the profile of a code, by code and owner.
        var polls = ExpiringTable<Date>()
        /// The session indices of the profiles of REST API v2, by application, device, service provider and MVPD.
        var profiles = ExpiringTable<String>()
        /// The session indices of profiles that several devices share, by the viewer's identity, service provider and
        /// MVPD.
        var sharedProfiles = ExpiringTable<String>()
        /// The newest codes, by application, device and service provider.
        var newestCodes = ExpiringTable<String>()
        /// The decisions that the service remembers, by login and resource.
        var decisions = ExpiringTable<RememberedDecision>()
        /// The households; `nil` before the first one, and in snapshots that an earlier version has saved.
        private var keptHouseholds: HouseholdTables?
        var households: HouseholdTables {
            get { keptHouseholds ?? HouseholdTables() }
            set { keptHouseholds = newValue }
        }

        /// The tables that a snapshot contains.
        ///
        /// A login whose page is open must begin again. The throttle and the polls of the last seconds do not matter
        /// later.
        private enum CodingKeys: String, CodingKey {
            case clients, accessTokens, codes, logins, browsers, names, authorized, trials, denials, platformLogins
            case profiles, sharedProfiles, newestCodes, decisions
            case keptHouseholds = "households"
        }

        /// Counts a denial, and returns the number of denials in a row.
        ///
        /// The denied resources of logins that have ended are removed whenever their number has doubled since the last
        /// removal.
        mutating func countDenial(of denied: DeniedResource, at now: Date) -> Int {
            if denials[denied] == nil, denials.count >= deniedResourceLimit {
                denials = denials.filter { login($0.key.sessionIndex.text, now) != nil }
                deniedResourceLimit = max(64, denials.count * 2)
            }
            let count = denials[denied, default: 0] + 1
            denials[denied] = count
            return count
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

    /// The service's time, for an answer or for what later answers contain.
    package var now: Date {
        noteClock()
        return serviceTime
    }

    /// The service's time, for what no answer contains.
    var serviceTime: Date { clock().addingTimeInterval(clockOffset) }

    /// Returns the same state with another world.
    func with(_ world: SandboxWorld) -> SandboxState {
        var state = self
        state.world = world
        return state
    }

    /// Signs the body of a token, with a wrong signature when a fault asks for it.
    ///
    /// - Throws: any error of the cryptographic library.
    func sign(_ body: String) throws -> TokenText {
        if signsWrongly { note(.badSignature) }
        return try key.sign(signsWrongly ? body + "\n" : body, as: body)
    }

    /// Reads or changes the tables in a closure, which receives the current time as well.
    func withTables<Value: Sendable>(_ body: (inout Tables, Date) -> Value) -> Value {
        let now = serviceTime
        return tables.withLock { body(&$0, now) }
    }

    /// Returns a Boolean value that indicates whether the throttle lets a request pass.
    ///
    /// The service tells devices apart by their addresses. On one machine all have the same address, so the device id
    /// in the request distinguishes them as well.
    func admits(_ request: SandboxRequest) -> Bool {
        guard world.behavior.isThrottled else { return true }
        let device = request.header("AP-Device-Identifier").map { "\(request.address) \($0)" } ?? request.address
        return withTables { $0.throttle.admits(device, at: $1) }
    }

    /// Returns a Boolean value that indicates whether a device may poll a code again, which it may do every three
    /// seconds (REST API v2, 9.9).
    func admitsPoll(of code: String, by owner: ProfileOwner) -> Bool {
        guard world.behavior.isThrottled else { return true }
        return withTables { tables, now in
            let key = Self.key(code, owner.key)
            // The clock of the sandbox can be set back, and the last poll may then seem to be one of the future.
            if let last = tables.polls.entry(key, at: now), last <= now { return false }
            tables.polls.set(now, key, until: now.addingTimeInterval(Throttle.pollPause), at: now)
            return true
        }
    }

    /// Returns the redirect URLs that are registered for an application; none means that any may be used.
    func redirects(of client: RegisteredClient) -> [String] {
        world.behavior.restV2.redirectURLs + [client.redirectURL].compactMap(\.self)
    }

    /// Returns the registration code with a text in upper case; `nil` when there is none or it has expired.
    func code(_ text: String) -> RegistrationCode? { find { $0.codes.entry(text, at: $1) } }

    /// Returns the login with a session index; `nil` when it has ended.
    func login(_ index: String) -> Login? { find { $0.login(index, $1) } }

    func requestor(_ id: RequestorID) -> SandboxWorld.Requestor? { world.requestors.first { $0.id == id } }

    /// Returns the provider with an id; `nil` when the requestor does not work with it.
    func provider(_ id: MVPDID, of requestorID: RequestorID) -> SandboxWorld.Provider? {
        guard requestor(requestorID)?.providers.contains(id) == true else { return nil }
        return world.provider(id)
    }

    /// Returns a Boolean value that indicates whether a token of one requestor is valid for another.
    ///
    /// It is when both work with the provider and the provider does not authenticate per requestor.
    func shares(_ mvpdID: MVPDID, between first: RequestorID, and second: RequestorID) -> Bool {
        guard let provider = provider(mvpdID, of: first), self.provider(mvpdID, of: second) != nil else { return false }
        return first == second || provider.authenticatesPerRequestor != true
    }

    /// Returns a date in the form in which the tokens of this world contain it.
    func tokenDate(_ date: Date) -> TokenDate {
        TokenDate(
            secondsSince1970: Int64(bounded: date.timeIntervalSince1970),
            utcOffsetMinutes: world.behavior.tokenUTCOffsetMinutes)
    }

    /// Returns one key for several texts, in which each text follows its length.
    static func key(_ parts: String...) -> String {
        parts.map { "\($0.utf8.count):\($0)" }.joined()
    }

    /// Returns 32 random lowercase hexadecimal characters.
    static func randomID() -> String {
        // Each number is a call of the system, so there are two and not one for each byte.
        (0..<2).flatMap { _ -> [UInt8] in
            let number = UInt64.random(in: .min ... .max)
            return stride(from: 0, to: 64, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
        }.hexadecimal
    }

    /// Returns the keyed hash of a text, in lowercase hexadecimal.
    func seal(_ text: String) -> String {
        HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: secret).hexadecimal
    }

    /// Returns a Boolean value that indicates whether a keyed hash belongs to a text.
    ///
    /// The comparison takes constant time.
    func isSeal(_ seal: String, of text: String) -> Bool {
        self.seal(text).isSameInConstantTime(as: seal)
    }
}

extension String {
    /// Returns a Boolean value that indicates whether another text has the same bytes.
    ///
    /// The time of the comparison does not depend on the place of the first difference.
    func isSameInConstantTime(as other: String) -> Bool {
        let left = Array(utf8)
        let right = Array(other.utf8)
        return left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
