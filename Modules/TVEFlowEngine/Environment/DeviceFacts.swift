import Foundation

/// What this device tells the service about itself (client information, with the documented keys).
package enum DeviceFacts {
    /// Version of this library, sent as `client_version`.
    static let libraryVersion = "0.1.0"

    /// The kind of client, sent as `client_type`.
    package static var clientType: String {
        #if os(tvOS)
        "tvOS"
        #elseif os(iOS)
        "iOS"
        #elseif os(macOS)
        "macOS"
        #else
        "Linux"
        #endif
    }

    /// They do not change while the process runs.
    static let current: [String: String] = {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        let name = versionText(version.majorVersion, version.minorVersion, version.patchVersion)
        return [
            "model": hardwareModel, "vendor": vendor, "manufacturer": vendor, "osName": clientType, "osVersion": name,
            "version": libraryVersion, "primaryHardwareType": hardwareType, "connectionType": "WIFI",
        ]
    }()

    /// The same facts as REST API v2 expects them, whose lists are closed: the model without its version, and the
    /// version separately.
    static let restV2: [String: String] = {
        var facts = current
        let model = hardwareModel
        if let digits = model.firstMatch(of: /[0-9]+,[0-9]+$/) {
            facts["model"] = String(model[..<digits.range.lowerBound])
            facts["version"] = String(digits.output)
        }
        facts["primaryHardwareType"] = hardwareType == "Computer" ? "Desktop" : hardwareType
        facts["osName"] = clientType == "macOS" ? "OS X" : clientType
        facts["connectionType"] = "WiFi"
        return facts
    }()

    private static var hardwareType: String {
        #if os(tvOS)
        "SetTopBox"
        #elseif os(iOS)
        "MobilePhone"
        #else
        "Computer"
        #endif
    }

    private static var vendor: String {
        #if canImport(Darwin)
        "Apple"
        #else
        "unknown"
        #endif
    }

    /// The machine's identifier for its model, for example `AppleTV11,1` or `x86_64`.
    private static var hardwareModel: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "unknown" }
        return withUnsafeBytes(of: &names.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private static func versionText(_ parts: Int...) -> String {
        parts.map(String.init).joined(separator: ".")
    }
}
