/// Who and what there is in a sandbox: requestors, TV providers, viewers and how the service behaves.
///
/// Its JSON form is what `tve sandbox --world FILE` reads; viewers, behavior and faults may be left out there.
public struct SandboxWorld: Sendable, Hashable, Codable {
    /// The programmers' brands.
    public var requestors: [Requestor]
    /// The TV providers.
    public var providers: [Provider]
    /// The people who can log in.
    public var viewers: [Viewer]
    /// How the service behaves.
    public var behavior: Behavior
    /// What goes wrong on purpose.
    public var faults: [Fault]

    /// Makes a world.
    ///
    /// - Parameters:
    ///   - requestors: the programmers' brands.
    ///   - providers: the TV providers.
    ///   - viewers: the people who can log in.
    ///   - behavior: how the service behaves.
    ///   - faults: what goes wrong on purpose.
    public init(
        requestors: [Requestor], providers: [Provider], viewers: [Viewer], behavior: Behavior = Behavior(),
        faults: [Fault] = []
    ) {
        self.requestors = requestors
        self.providers = providers
        self.viewers = viewers
        self.behavior = behavior
        self.faults = faults
    }

    /// Reads a world.
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
    }

    /// A programmer's brand.
    public struct Requestor: Sendable, Hashable, Codable {
        /// The requestor id.
        public var id: String
        /// The brand's name.
        public var name: String
        /// Resource ids of its channels.
        public var channels: [String]
        /// Ids of the TV providers it works with.
        public var providers: [String]

        /// Makes a requestor.
        ///
        /// - Parameters:
        ///   - id: the requestor id.
        ///   - name: the brand's name.
        ///   - channels: resource ids of its channels.
        ///   - providers: ids of the TV providers it works with.
        public init(id: String, name: String, channels: [String], providers: [String]) {
            self.id = id
            self.name = name
            self.channels = channels
            self.providers = providers
        }
    }

    /// A TV provider; what is optional may be left out.
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
        public var id: String
        /// The name to show in a picker.
        public var displayName: String
        /// How a login reaches the provider.
        public var login: Login
        /// "Authentication per requestor": whether a login for one requestor counts for no other; false when not given.
        public var authenticatesPerRequestor: Bool?
        /// Whether a silent login may be tried; true when not given.
        public var allowsPassiveAuthentication: Bool?
        /// Whether the login page needs Safari.
        public var usesSafari: Bool?
        /// The platform's id of the provider, with which its sign-on works.
        public var platformID: String?
        /// `SUPPORTED` or `PICKER`: how far the platform's sign-on supports the provider; empty for not at all.
        public var boardingStatus: String?
        /// What kind of TempPass a provider without a login is.
        public var temporaryAccess: TemporaryAccess?
        /// What the service does in place of asking the provider.
        public var degradation: Degradation?
        /// Whether the service cannot reach the provider to authorize.
        public var isUnreachable: Bool?
        /// After how many denials of the same resource the service no longer asks the provider; never when not given.
        public var denialsBeforeRefusal: Int?
        /// Whether the provider puts its line-up into the AuthN token.
        public var putsLineUpIntoToken: Bool?

        /// What the service does in place of asking the provider.
        public enum Degradation: String, Sendable, Codable {
            /// Every viewer counts as logged in.
            case authenticateAll
            /// Everything counts as authorized.
            case authorizeAll
            /// Everything counts as denied.
            case authorizeNone
        }

        /// What a TempPass gives.
        public struct TemporaryAccess: Sendable, Hashable, Codable {
            /// For how long, from the first authorization on, in seconds.
            public var seconds: Int
            /// The key of the generic data that must name the viewer; a promotional TempPass has one.
            public var identityKey: String?
            /// How many resources it opens; any number when not given.
            public var resourceLimit: Int?

            /// Makes a TempPass.
            ///
            /// - Parameters:
            ///   - seconds: for how long, from the first authorization on.
            ///   - identityKey: the key of the generic data that must name the viewer.
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
        public init(id: String, displayName: String, login: Login, authenticatesPerRequestor: Bool? = nil) {
            self.id = id
            self.displayName = displayName
            self.login = login
            self.authenticatesPerRequestor = authenticatesPerRequestor
        }
    }

    /// Someone with a subscription, the same at every provider.
    public struct Viewer: Sendable, Hashable, Codable {
        /// The name to log in with.
        public var name: String
        /// The password to log in with.
        public var password: String
        /// Ids of the channels the viewer may watch.
        public var resources: [String]
        /// The zip code the provider tells.
        public var zip: String?
        /// What the provider says when it denies a channel, by channel id; there is a general text for all others.
        public var upsell: [String: String]?
        /// Metadata that the provider encrypts for the programmer: ciphertexts by name, handed on as they stand.
        public var encrypted: [String: String]?

        /// Makes a viewer.
        ///
        /// - Parameters:
        ///   - name: the name to log in with.
        ///   - password: the password to log in with.
        ///   - resources: ids of the channels the viewer may watch.
        ///   - zip: the zip code the provider tells.
        ///   - upsell: what the provider says when it denies a channel, by channel id.
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
}
