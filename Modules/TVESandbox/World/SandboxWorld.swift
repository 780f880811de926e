public import TVEModels

/// The data of a sandbox: requestors, TV providers, viewers and how the service behaves.
///
/// `tve sandbox --world FILE` reads its JSON form, in which viewers, behavior, faults and expectations may be left out.
public struct SandboxWorld: Sendable, Hashable, Codable {
    /// The programmers' brands.
    public var requestors: [Requestor]
    /// The TV providers.
    public var providers: [Provider]
    /// The viewers who can log in.
    public var viewers: [Viewer]
    /// How the service behaves.
    public var behavior: Behavior
    /// The simulated failures.
    public var faults: [Fault]
    /// What the tester expects of clients.
    public var expectations: [Expectation]

    /// Makes a world.
    ///
    /// - Parameters:
    ///   - requestors: the programmers' brands.
    ///   - providers: the TV providers.
    ///   - viewers: the viewers who can log in.
    ///   - behavior: how the service behaves.
    ///   - faults: the simulated failures.
    ///   - expectations: what the tester expects of clients.
    public init(
        requestors: [Requestor], providers: [Provider], viewers: [Viewer], behavior: Behavior = Behavior(),
        faults: [Fault] = [], expectations: [Expectation] = []
    ) {
        self.requestors = requestors
        self.providers = providers
        self.viewers = viewers
        self.behavior = behavior
        self.faults = faults
        self.expectations = expectations
    }

    /// Decodes a world.
    ///
    /// - Parameter decoder: where to read from.
    /// - Throws: `DecodingError` when a value has the wrong type or a required one is missing.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        requestors = try values.decode([Requestor].self, forKey: .requestors)
        providers = try values.decode([Provider].self, forKey: .providers)
        viewers = try values.decodeIfPresent([Viewer].self, forKey: .viewers) ?? []
        behavior = try values.decodeIfPresent(Behavior.self, forKey: .behavior) ?? Behavior()
        faults = try values.decodeIfPresent([Fault].self, forKey: .faults) ?? []
        expectations = try values.decodeIfPresent([Expectation].self, forKey: .expectations) ?? []
    }

    /// A programmer's brand.
    public struct Requestor: Sendable, Hashable, Codable {
        /// The requestor id.
        public var id: RequestorID
        /// The brand's name.
        public var name: String
        /// Resource ids of its channels.
        public var channels: [String]
        /// Ids of the TV providers it works with.
        public var providers: [MVPDID]

        /// Makes a requestor.
        ///
        /// - Parameters:
        ///   - id: the requestor id.
        ///   - name: the brand's name.
        ///   - channels: resource ids of its channels.
        ///   - providers: ids of the TV providers it works with.
        public init(id: RequestorID, name: String, channels: [String], providers: [MVPDID]) {
            self.id = id
            self.name = name
            self.channels = channels
            self.providers = providers
        }
    }

    /// A TV provider; optional values may be left out.
    public struct Provider: Sendable, Hashable, Codable {
        /// How a login reaches the provider.
        public enum Login: String, Sendable, Codable {
            /// An auto-submitting form posts the request to the provider.
            case form
            /// A redirect leads to the provider.
            case redirect
            /// There is no login: a TempPass.
            case none
        }

        /// The MVPD id.
        public var id: MVPDID
        /// The name to show in a picker.
        public var displayName: String
        /// How a login reaches the provider.
        public var login: Login
        /// "Authentication per requestor": whether a login for one requestor counts for no other; false when nil.
        public var authenticatesPerRequestor: Bool?
        /// Whether a silent login may be tried; true when nil.
        public var allowsPassiveAuthentication: Bool?
        /// Whether the login page needs Safari.
        public var usesSafari: Bool?
        /// The platform's id of the provider, for the platform's sign-on.
        public var platformID: String?
        /// `SUPPORTED` or `PICKER`: how far the platform's sign-on supports the provider; empty for no support.
        public var boardingStatus: String?
        /// The kind of TempPass, for a provider without a login.
        public var temporaryAccess: TemporaryAccess?
        /// What the service does instead of asking the provider.
        public var degradation: Degradation?
        /// Whether the service cannot reach the provider for an authorization.
        public var isUnreachable: Bool?
        /// After how many denials of the same resource the service stops asking the provider; never when nil.
        public var denialsBeforeRefusal: Int?
        /// Whether the provider puts its line-up into the AuthN token.
        public var putsLineUpIntoToken: Bool?
        /// Whether its login page refuses embedded web views, by their user agent.
        public var refusesWebViews: Bool?

        /// What the service does instead of asking the provider.
        public enum Degradation: String, Sendable, Codable {
            /// Every viewer counts as logged in.
            case authenticateAll
            /// Everything counts as authorized.
            case authorizeAll
            /// Everything counts as denied.
            case authorizeNone
        }

        /// The limits of a TempPass.
        public struct TemporaryAccess: Sendable, Hashable, Codable {
            /// Its duration in seconds, from the first authorization on.
            public var seconds: Int
            /// The key of the generic data with the viewer's id; a promotional TempPass has one.
            public var identityKey: String?
            /// How many resources it opens; any number when nil.
            public var resourceLimit: Int?

            /// Makes a TempPass.
            ///
            /// - Parameters:
            ///   - seconds: its duration, from the first authorization on.
            ///   - identityKey: the key of the generic data with the viewer's id.
            ///   - resourceLimit: how many resources it opens.
            public init(seconds: Int, identityKey: String? = nil, resourceLimit: Int? = nil) {
                self.seconds = seconds
                self.identityKey = identityKey
                self.resourceLimit = resourceLimit
            }
        }

        /// Makes a provider.
        ///
        /// - Parameters:
        ///   - id: the MVPD id.
        ///   - displayName: the name to show in a picker.
        ///   - login: how a login reaches the provider.
        ///   - authenticatesPerRequestor: whether a login for one requestor counts for no other.
        public init(id: MVPDID, displayName: String, login: Login, authenticatesPerRequestor: Bool? = nil) {
            self.id = id
            self.displayName = displayName
            self.login = login
            self.authenticatesPerRequestor = authenticatesPerRequestor
        }
    }

    /// A viewer with a subscription, the same at every provider.
    public struct Viewer: Sendable, Hashable, Codable {
        /// The name to log in with.
        public var name: String
        /// The password to log in with.
        public var password: String
        /// Ids of the channels the viewer may watch.
        public var resources: [String]
        /// The zip code that the provider reports.
        public var zip: String?
        /// The provider's texts for denied channels, by channel id; there is a general text for all others.
        public var upsell: [String: String]?
        /// Metadata that the provider encrypts for the programmer: ciphertexts by name, passed on unchanged.
        public var encrypted: [String: String]?

        /// Makes a viewer.
        ///
        /// - Parameters:
        ///   - name: the name to log in with.
        ///   - password: the password to log in with.
        ///   - resources: ids of the channels the viewer may watch.
        ///   - zip: the zip code that the provider reports.
        ///   - upsell: the provider's texts for denied channels, by channel id.
        public init(
            name: String, password: String, resources: [String], zip: String? = nil, upsell: [String: String]? = nil
        ) {
            self.name = name
            self.password = password
            self.resources = resources
            self.zip = zip
            self.upsell = upsell
        }
    }

    /// The same world, refusing what is not documented and what comes too fast.
    public var strict: SandboxWorld {
        var world = self
        world.behavior.isStrict = true
        world.behavior.isThrottled = true
        return world
    }

    func provider(_ id: MVPDID) -> Provider? { providers.first { $0.id == id } }

    func viewer(_ name: String) -> Viewer? { viewers.first { $0.name.isSameBytes(as: name) } }
}
