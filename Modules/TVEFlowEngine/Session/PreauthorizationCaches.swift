/// The caches that may answer a preauthorization (API reference, `PreauthorizeRequest.Feature`).
public struct PreauthorizationCaches: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: Int

    /// Creates a set from bits.
    ///
    /// - Parameter rawValue: the bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The last answer that is stored on this device, if it was about the same set of resources, or over REST API v2
    /// the resources that this session was permitted before.
    public static let local = PreauthorizationCaches(rawValue: 1)
    /// The service's own cache.
    public static let service = PreauthorizationCaches(rawValue: 2)
    /// Both caches, which is the default.
    public static let all: PreauthorizationCaches = [.local, .service]
}
