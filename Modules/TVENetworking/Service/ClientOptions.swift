public import TVEModels

/// Options that an app may set at any time and that every later request carries (API reference, `setOptions`).
public struct ClientOptions: Sendable, Hashable, Redacting {
    /// Selects a configuration on the service's side (`applicationProfile`).
    public var applicationProfile: String?
    /// The Experience Cloud id of the visitor (`visitorID`), sent in the header `AP-Visitor-Identifier`.
    public var visitorID: String?
    /// Adds to what is known about the device (`device_info`): Base64 of a JSON object.
    ///
    /// Its members count before those of this library, and a member that is null is left out. A text that cannot be read
    /// adds nothing.
    public var deviceInfo: String?
    /// Identifies the viewer at the programmer's own identity service, a JWS (`AD-Service-Token`); REST API v2 only.
    public var serviceToken: String?

    /// Undocumented options, under names of the app's choice: sent in the query of every request as they are.
    public var further: [String: String] = [:]

    /// Makes options; nil keeps the default.
    ///
    /// - Parameters:
    ///   - applicationProfile: selects a configuration on the service's side.
    ///   - visitorID: the Experience Cloud id of the visitor.
    ///   - deviceInfo: Base64 of a JSON object.
    ///   - serviceToken: identifies the viewer at the programmer's own identity service.
    public init(
        applicationProfile: String? = nil, visitorID: String? = nil, deviceInfo: String? = nil,
        serviceToken: String? = nil
    ) {
        self.applicationProfile = applicationProfile
        self.visitorID = visitorID
        self.deviceInfo = deviceInfo
        self.serviceToken = serviceToken
    }

    /// Which options are set, not their values.
    public var redactedDescription: String {
        let set = [
            ("applicationProfile", applicationProfile), ("visitorID", visitorID), ("deviceInfo", deviceInfo),
            ("serviceToken", serviceToken),
        ].filter { $0.1 != nil }
        return "ClientOptions(\((set.map(\.0) + further.keys.sorted()).joined(separator: ", ")))"
    }
}
