public import TVEModels

/// The data of a sandbox: its requestors, TV providers and viewers, the behaviour of the service, and simulated
/// failures.
///
/// `tve sandbox --world FILE` reads the JSON form of a world. Viewers, behavior, faults and expectations may be left
/// out there.
public struct SandboxWorld: Sendable, Hashable, Codable {
    /// The programmers' brands.
    public var requestors: [Requestor]
    /// The TV providers.
    public var providers: [Provider]
    /// The viewers who can log in.
    public var viewers: [Viewer]
    /// The behaviour of the service.
    public var behavior: Behavior
    /// The simulated failures.
    public var faults: [Fault]
    /// The tester's expectations of clients.
    public var expectations: [Expectation]

    /// Creates a world.
    ///
    /// - Parameters:
    ///   - requestors: the programmers' brands.
    ///   - providers: the TV providers.
    ///   - viewers: the viewers who can log in.
    ///   - behavior: the behaviour of the service.
    ///   - faults: the simulated failures.
    ///   - expectations: the tester's expectations of clients.
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
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: `DecodingError` when a value has the wrong type or a required value is missing.
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
        /// The resource ids of its channels.
        public var channels: [String]
        /// The ids of the TV providers with which it works.
        public var providers: [MVPDID]

        /// Creates a requestor.
        ///
        /// - Parameters:
        ///   - id: the requestor id.
        ///   - name: the brand's name.
        ///   - channels: the resource ids of its channels.
        ///   - providers: the ids of the TV providers with which it works.
        public init(id: RequestorID, name: String, channels: [String], providers: [MVPDID]) {
            self.id = id
            self.name = name
            self.channels = channels
            self.providers = providers
        }
    }

    /// A TV provider.
    public struct Provider: Sendable, Hashable, Codable {
        /// The way in which a login reaches the provider.
        public enum Login: String, Sendable, Codable, CaseIterable {
            /// A form that submits itself posts the request to the provider.
            case form
            /// A redirect sends the request to the provider.
            case redirect
            /// A TempPass, which has no login.
            case none
        }

        /// The MVPD id.
        public var id: MVPDID
        /// The name to show in a picker.
        public var displayName: String
        /// The way in which a login reaches the provider.
        public var login: Login
        /// A Boolean value that indicates whether a login is valid only for the requestor for which it was made
        /// ("authentication per requestor"); `nil` means `false`.
        public var authenticatesPerRequestor: Bool?
        /// A Boolean value that indicates whether an app may try a passive login; `nil` means `true`.
        public var allowsPassiveAuthentication: Bool?
        /// A Boolean value that indicates whether the login page needs Safari; `nil` means `false`.
        public var usesSafari: Bool?
        /// The platform's id of the provider, for the platform's sign-on.
        public var platformID: String?
        /// The support of the provider by the platform's sign-on: `SUPPORTED` or `PICKER`; empty for no support, `nil`
        /// means `SUPPORTED`.
        public var boardingStatus: String?
        /// The kind of TempPass, for a provider without a login.
        public var temporaryAccess: TemporaryAccess?
        /// The rule by which the service decides instead of the provider; `nil` when the provider decides.
        public var degradation: Degradation?
        /// A Boolean value that indicates whether the service cannot reach the provider for an authorization; `nil`
        /// means `false`.
        public var isUnreachable: Bool?
        /// The number of denials of the same resource after which the service stops asking the provider; `nil` for
        /// never.
        public var denialsBeforeRefusal: Int?
        /// A Boolean value that indicates whether the provider puts its line-up into the AuthN token; `nil` means
        /// `false`.
        public var putsLineUpIntoToken: Bool?
        /// A Boolean value that indicates whether the login page refuses embedded web views, by their user agent; `nil`
        /// means `false`.
        public var refusesWebViews: Bool?

        /// A rule by which the service decides instead of the provider.
        public enum Degradation: String, Sendable, Codable, CaseIterable {
            /// Every viewer is treated as logged in.
            case authenticateAll
            /// Every resource is authorized.
            case authorizeAll
            /// Every resource is denied.
            case authorizeNone
        }

        /// The limits of a TempPass.
        public struct TemporaryAccess: Sendable, Hashable, Codable {
            /// The duration in seconds, from the first authorization on.
            public var seconds: Int
            /// The key of the viewer's id in the generic data of a promotional TempPass; `nil` for any other TempPass.
            public var identityKey: String?
            /// The largest number of resources that the TempPass opens; `nil` for any number.
            public var resourceLimit: Int?

            /// Creates the limits of a TempPass.
            ///
            /// - Parameters:
            ///   - seconds: the duration in seconds, from the first authorization on.
            ///   - identityKey: the key of the viewer's id in the generic data; `nil` for a TempPass that is not
            ///     promotional.
            ///   - resourceLimit: the largest number of resources that the TempPass opens; `nil` for any number.
            public init(seconds: Int, identityKey: String? = nil, resourceLimit: Int? = nil) {
                self.seconds = seconds
                self.identityKey = identityKey
                self.resourceLimit = resourceLimit
            }
        }

        /// Creates a provider.
        ///
        /// - Parameters:
        ///   - id: the MVPD id.
        ///   - displayName: the name to show in a picker.
        ///   - login: the way in which a login reaches the provider.
        ///   - authenticatesPerRequestor: a Boolean value that indicates whether a login is valid only for the
        ///     requestor for which it was made; `nil` means `false`.
        public init(id: MVPDID, displayName: String, login: Login, authenticatesPerRequestor: Bool? = nil) {
            self.id = id
            self.displayName = displayName
            self.login = login
            self.authenticatesPerRequestor = authenticatesPerRequestor
        }
    }

    /// A viewer with a subscription, who has the same account at every provider.
    public struct Viewer: Sendable, Hashable, Codable {
        /// The name with which the viewer logs in.
        public var name: String
        /// The password with which the viewer logs in.
        public var password: String
        /// The ids of the channels that the viewer may watch.
        public var resources: [String]
        /// The zip code that the provider reports; `nil` for none.
        public var zip: String?
        /// The provider's texts about denied channels, by channel id.
        ///
        /// The other channels have a general text.
        public var upsell: [String: String]?
        /// The ciphertexts of the metadata that the provider encrypts for the programmer, by name.
        ///
        /// The sandbox passes them on unchanged.
        public var encrypted: [String: String]?

        /// Creates a viewer.
        ///
        /// - Parameters:
        ///   - name: the name with which the viewer logs in.
        ///   - password: the password with which the viewer logs in.
        ///   - resources: the ids of the channels that the viewer may watch.
        ///   - zip: the zip code that the provider reports; `nil` for none.
        ///   - upsell: the provider's texts about denied channels, by channel id; `nil` for general texts only.
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

    /// The same world with a service that refuses undocumented requests, and requests that come too fast.
    public var strict: SandboxWorld {
        var world = self
        world.behavior.isStrict = true
        world.behavior.isThrottled = true
        return world
    }

    func provider(_ id: MVPDID) -> Provider? { providers.first { $0.id == id } }

    func viewer(_ name: String) -> Viewer? { viewers.first { $0.name.isSameBytes(as: name) } }
}
