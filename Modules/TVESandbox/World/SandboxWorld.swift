/// Who and what there is in a sandbox: requestors, TV providers, viewers and how the service behaves.
///
/// Its JSON form is what `tve sandbox --world FILE` reads; viewers and behavior may be left out there.
public struct SandboxWorld: Sendable, Hashable, Codable {
    /// The programmers' brands.
    public var requestors: [Requestor]
    /// The TV providers.
    public var providers: [Provider]
    /// The people who can log in.
    public var viewers: [Viewer]
    /// How the service behaves.
    public var behavior: Behavior

    /// Makes a world.
    ///
    /// - Parameters:
    ///   - requestors: the programmers' brands.
    ///   - providers: the TV providers.
    ///   - viewers: the people who can log in.
    ///   - behavior: how the service behaves.
    public init(
        requestors: [Requestor], providers: [Provider], viewers: [Viewer], behavior: Behavior = Behavior()
    ) {
        self.requestors = requestors
        self.providers = providers
        self.viewers = viewers
        self.behavior = behavior
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

    /// A TV provider.
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
