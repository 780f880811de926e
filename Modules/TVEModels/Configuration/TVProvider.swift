/// A TV provider (MVPD) as the configuration of a requestor describes it.
///
/// The classic API calls this `MVPD`; the facade's class has that name, so that an app can import both modules.
public struct TVProvider: Sendable, Hashable, Identifiable, Codable {
    /// The MVPD id, case-sensitive.
    public var id: MVPDID
    /// The name to show in a picker.
    @BytewiseEqual public var displayName: String
    /// Where the logo is, as the service wrote it.
    @BytewiseEqual public var logoURL: String
    /// Whether the web player shows the login page in a frame.
    public var requiresIFrame = false
    /// Width of that frame in pixels.
    public var iFrameWidth: Int?
    /// Height of that frame in pixels.
    public var iFrameHeight: Int?
    /// Whether logging out must be a visible navigation.
    public var needsForegroundLogout = false
    /// Whether the id belongs to a provider behind a proxy.
    public var isProxy = false
    /// "Authentication per requestor": a login for one requestor does not count for another (`authPerAggregator`).
    public var authenticatesPerRequestor = false
    /// Whether a silent login may be tried for a provider that authenticates per requestor; true when not stated.
    public var allowsPassiveAuthentication = true
    /// Whether web tokens end with the browser session.
    public var authenticatesPerBrowserSession = false
    /// Whether this is a TempPass: no login page, time-limited access.
    public var isTempPass = false
    /// Whether the platform's own single sign-on is allowed.
    public var allowsPlatformSignOn = false
    /// How far the platform's sign-on supports the provider: `SUPPORTED`, `PICKER`, or nil.
    @BytewiseEqual public var boardingStatus: String?
    /// Whether the platform's picker shows the provider.
    public var isShownInPlatformPicker = false
    /// The provider's id on the platform.
    @BytewiseEqual public var platformMappingID: String?
    /// Attributes to request from the platform's sign-on.
    @BytewiseEqual public var requiredMetadataFields: [String] = []
    /// Whether the login page needs Safari (`SFSafariViewController`) in place of a web view.
    public var usesSafari = false
    /// The service provider URL that supplied this entry; set by the code that fetched the configuration.
    @BytewiseEqual public var serviceProvider: String?

    /// Whether the platform's own sign-on can log in with this provider or at least show it.
    ///
    /// Without a boarding status it can do neither.
    public var takesPartInPlatformSignOn: Bool {
        allowsPlatformSignOn && platformMappingID != nil && boardingStatus != nil
    }

    /// Makes an entry with the required values; flags have their documented defaults.
    ///
    /// - Parameters:
    ///   - id: the MVPD id, case-sensitive.
    ///   - displayName: the name to show in a picker.
    ///   - logoURL: where the logo is.
    public init(id: MVPDID, displayName: String, logoURL: String) {
        self.id = id
        self.displayName = displayName
        self.logoURL = logoURL
    }
}

extension TVProvider: JSONReadable {
    private enum Field: String, CaseIterable {
        case id, displayName, logoURL, requiresIFrame, iFrameWidth, iFrameHeight, needsForegroundLogout, isProxy
        case authenticatesPerRequestor, allowsPassiveAuthentication, authenticatesPerBrowserSession, isTempPass
        case allowsPlatformSignOn, boardingStatus, isShownInPlatformPicker, platformMappingID, requiredMetadataFields
        case usesSafari, serviceProvider
    }

    private static let names = JSONNames<Field>()

    /// Reads a stored entry; nil for one without its required values.
    package init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var read = TVProvider(id: "", displayName: "", logoURL: "")
        var id: String?
        var displayName: String?
        let isObject = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
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
        guard isObject, let id, let displayName else { return nil }
        read.id = MVPDID(id)
        read.displayName = displayName
        self = read
    }
}
