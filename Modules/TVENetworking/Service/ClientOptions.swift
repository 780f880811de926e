public import TVEModels

/// Options that an app may set at any time and that later requests carry (API reference, `setOptions`).
public struct ClientOptions: Sendable, Hashable, Redacting {
    /// The name of another configuration at the service (`applicationProfile`).
    public var applicationProfile: String?
    /// The Experience Cloud id of the visitor (`visitorID`), sent in the header `AP-Visitor-Identifier`.
    public var visitorID: String?
    /// The app's own description of the device (`device_info`), Base64 of a JSON object.
    ///
    /// Its members replace those of this library, and a member that is null removes one. An unreadable text adds
    /// nothing.
    public var deviceInfo: String?
    /// The viewer's token from the programmer's own identity service, a JWS (`AD-Service-Token`), for REST API v2 only.
    public var serviceToken: String?

    /// Undocumented options under names of the app's choice, for the classic services only.
    ///
    /// They are sent in the query of every request, unless it already has a value of that name.
    public var further: [String: String] = [:]

    /// Creates options.
    ///
    /// Pass nil for each option that should have its default.
    ///
    /// - Parameters:
    ///   - applicationProfile: the name of another configuration at the service.
    ///   - visitorID: the Experience Cloud id of the visitor.
    ///   - deviceInfo: the app's own description of the device, Base64 of a JSON object.
    ///   - serviceToken: the viewer's token from the programmer's own identity service.
    public init(
        applicationProfile: String? = nil, visitorID: String? = nil, deviceInfo: String? = nil,
        serviceToken: String? = nil
    ) {
        self.applicationProfile = applicationProfile
        self.visitorID = visitorID
        self.deviceInfo = deviceInfo
        self.serviceToken = serviceToken
    }

    /// The names of the options that are set, without their values.
    public var redactedDescription: String {
        let set = [
            ("applicationProfile", applicationProfile), ("visitorID", visitorID), ("deviceInfo", deviceInfo),
            ("serviceToken", serviceToken),
        ].filter { $0.1 != nil }
        return "ClientOptions(\((set.map(\.0) + further.keys.sorted()).joined(separator: ", ")))"
    }
}
