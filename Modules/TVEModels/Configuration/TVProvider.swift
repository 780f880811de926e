/// A TV provider (MVPD) as the configuration of a requestor describes it.
///
/// The classic API calls this `MVPD`. The facade's class has that name, so that an app can import both modules.
public struct TVProvider: Sendable, Hashable, Identifiable, Codable {
    /// The MVPD id, case-sensitive.
    public var id: MVPDID
    /// The name to show in a picker.
    @BytewiseEqual public var displayName: String
    /// The URL of the logo, as the service wrote it.
    @BytewiseEqual public var logoURL: String
    /// A Boolean value that indicates whether the web player shows the login page in a frame.
    public var requiresIFrame = false
    /// The width of that frame in pixels.
    public var iFrameWidth: Int?
    /// The height of that frame in pixels.
    public var iFrameHeight: Int?
    /// A Boolean value that indicates whether a logout must be a visible navigation.
    public var needsForegroundLogout = false
    /// A Boolean value that indicates whether the id belongs to a provider behind a proxy.
    public var isProxy = false
    /// A Boolean value that indicates whether a login for one requestor is invalid for others (`authPerAggregator`).
    public var authenticatesPerRequestor = false
    /// A Boolean value that indicates whether a silent login may be attempted with a provider that authenticates per
    /// requestor.
    ///
    /// The value is true if the configuration does not state it.
    public var allowsPassiveAuthentication = true
    /// A Boolean value that indicates whether web tokens end with the browser session.
    public var authenticatesPerBrowserSession = false
    /// A Boolean value that indicates whether this is a TempPass, which grants access for a limited time without a
    /// login page.
    public var isTempPass = false
    /// A Boolean value that indicates whether the platform's own single sign-on is allowed.
    public var allowsPlatformSignOn = false
    /// The platform's level of support for the provider in its sign-on: `SUPPORTED`, `PICKER`, or nil.
    @BytewiseEqual public var boardingStatus: String?
    /// A Boolean value that indicates whether the platform's picker shows the provider.
    public var isShownInPlatformPicker = false
    /// The provider's id on the platform.
    @BytewiseEqual public var platformMappingID: String?
    /// The attributes to request from the platform's sign-on.
    @BytewiseEqual public var requiredMetadataFields: [String] = []
    /// A Boolean value that indicates whether the login page needs Safari (`SFSafariViewController`) instead of a web
    /// view.
    public var usesSafari = false
    /// The service provider URL that supplied this entry.
    ///
    /// The code that fetched the configuration sets it.
    @BytewiseEqual public var serviceProvider: String?

    /// A Boolean value that indicates whether the platform's own sign-on can log in with this provider or at least show
    /// it.
    ///
    /// Without a boarding status, the platform can do neither.
    public var takesPartInPlatformSignOn: Bool {
        allowsPlatformSignOn && platformMappingID != nil && boardingStatus != nil
    }

    /// A Boolean value that indicates whether the platform lists the provider but cannot log in with it.
    package var isInPlatformPickerOnly: Bool { boardingStatus?.isSameBytes(as: "PICKER") == true }

    /// Creates an entry with the required values.
    ///
    /// Flags have their documented defaults.
    ///
    /// - Parameters:
    ///   - id: the MVPD id, case-sensitive.
    ///   - displayName: the name to show in a picker.
    ///   - logoURL: the URL of the logo.
    public init(id: MVPDID, displayName: String, logoURL: String) {
        self.id = id
        self.displayName = displayName
        self.logoURL = logoURL
    }

    /// Reads an entry that was encoded.
    ///
    /// Values that an earlier version did not write have their documented defaults.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: `DecodingError` when the id or the name is missing.
    public init(from decoder: any Decoder) throws { try self.init(reading: decoder) }
}

extension TVProvider: JSONReadable {
    private enum Field: String, CaseIterable {
        case id, displayName, logoURL, requiresIFrame, iFrameWidth, iFrameHeight, needsForegroundLogout, isProxy
        case authenticatesPerRequestor, allowsPassiveAuthentication, authenticatesPerBrowserSession, isTempPass
        case allowsPlatformSignOn, boardingStatus, isShownInPlatformPicker, platformMappingID, requiredMetadataFields
        case usesSafari, serviceProvider
    }

    private static let names = JSONNames<Field>()

    /// Reads a stored entry, or returns nil for one that lacks a required value.
    package init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var read = TVProvider(id: "", displayName: "", logoURL: "")
        var id: String?
        var displayName: String?
        _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
            switch field {
            case .id: id = try json.string()
            case .displayName: displayName = try json.string()
            case .logoURL: read.logoURL = try json.string() ?? ""
            case .requiresIFrame: read.requiresIFrame = try json.flag()
            case .iFrameWidth: read.iFrameWidth = try json.wholeNumber()
            case .iFrameHeight: read.iFrameHeight = try json.wholeNumber()
            case .needsForegroundLogout: read.needsForegroundLogout = try json.flag()
            case .isProxy: read.isProxy = try json.flag()
            case .authenticatesPerRequestor: read.authenticatesPerRequestor = try json.flag()
            case .allowsPassiveAuthentication: read.allowsPassiveAuthentication = try json.flag()
            case .authenticatesPerBrowserSession: read.authenticatesPerBrowserSession = try json.flag()
            case .isTempPass: read.isTempPass = try json.flag()
            case .allowsPlatformSignOn: read.allowsPlatformSignOn = try json.flag()
            case .boardingStatus: read.boardingStatus = try json.string()
            case .isShownInPlatformPicker: read.isShownInPlatformPicker = try json.flag()
            case .platformMappingID: read.platformMappingID = try json.string()
            case .requiredMetadataFields: read.requiredMetadataFields = try json.list(of: String.self) ?? []
            case .usesSafari: read.usesSafari = try json.flag()
            case .serviceProvider: read.serviceProvider = try json.string()
            }
        }
        guard let id, let displayName else { return nil }
        read.id = MVPDID(id)
        read.displayName = displayName
        self = read
    }
}

extension [TVProvider] {
    /// Returns the provider that the platform has under an id.
    package func provider(platformID: String) -> TVProvider? {
        first { $0.platformMappingID?.isSameBytes(as: platformID) == true }
    }
}
