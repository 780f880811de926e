/// What an app may set at any time and every later request carries (API reference, `setOptions`).
public struct ClientOptions: Sendable, Hashable {
    /// Selects a configuration on the service's side (`applicationProfile`).
    public var applicationProfile: String?
    /// The Experience Cloud id of the visitor (`visitorID`), sent in the header `AP-Visitor-Identifier`.
    public var visitorID: String?
    /// Replaces the client information as a whole (`device_info`): Base64 of a JSON object.
    public var deviceInfo: String?

    /// Makes options; nil leaves a thing as it is by default.
    ///
    /// - Parameters:
    ///   - applicationProfile: selects a configuration on the service's side.
    ///   - visitorID: the Experience Cloud id of the visitor.
    ///   - deviceInfo: Base64 of a JSON object.
    public init(applicationProfile: String? = nil, visitorID: String? = nil, deviceInfo: String? = nil) {
        self.applicationProfile = applicationProfile
        self.visitorID = visitorID
        self.deviceInfo = deviceInfo
    }
}
