import Foundation
import TVEModels

/// The description of a device that the service receives (REST API v2, 3.3).
///
/// TV providers have rules for each kind of device. A device with a wrong description gets shorter logins and cannot
/// use home-based logins. Therefore every value is either true or nil, and nil values are not sent.
public struct DeviceInformation: Sendable, Hashable, Encodable {
    /// The kind of device.
    public var hardwareType: HardwareType?
    /// The model without its version, for example `iPhone`.
    public var model: String?
    /// The version of the model, for example `15,2`.
    public var version: String?
    /// The maker of the device.
    public var manufacturer: String?
    /// The seller of the device.
    public var vendor: String?
    /// The name of the operating system.
    public var osName: SystemName?
    /// The group that the operating system belongs to.
    public var osFamily: SystemFamily?
    /// The maker of the operating system.
    public var osVendor: SystemVendor?
    /// The version of the operating system, for example `18.2`.
    public var osVersion: String?
    /// The width of the display, in pixels.
    public var displayWidth: Int?
    /// The height of the display, in pixels.
    public var displayHeight: Int?
    /// The id of the application on which the programmer and the vendor have agreed.
    public var applicationID: String?
    /// The kind of connection to the network that the device uses now.
    public var connection: Connection?
    /// The address from which the device sends its requests, for example `8.8.4.4`.
    ///
    /// The home-based logins of some providers need it together with ``connectionPort``.
    public var connectionAddress: String?
    /// The port from which the device sends its requests.
    public var connectionPort: Int?

    private enum CodingKeys: String, CodingKey {
        case hardwareType = "primaryHardwareType"
        case model, version, manufacturer, vendor, osName, osFamily, osVendor, osVersion, displayWidth, displayHeight
        case applicationID = "applicationId"
        case connection = "connectionType"
        case connectionAddress = "connectionIp"
        case connectionPort
    }

    /// Creates the description of a device.
    ///
    /// Values that few devices know are set through their properties.
    ///
    /// - Parameters:
    ///   - hardwareType: the kind of device.
    ///   - model: the model without its version.
    ///   - version: the version of the model.
    ///   - manufacturer: the maker of the device.
    ///   - vendor: the seller of the device.
    ///   - osName: the name of the operating system.
    ///   - osFamily: the group that the operating system belongs to.
    ///   - osVendor: the maker of the operating system.
    ///   - osVersion: the version of the operating system.
    ///   - connection: the kind of connection to the network that the device uses now.
    public init(
        hardwareType: HardwareType? = nil, model: String? = nil, version: String? = nil, manufacturer: String? = nil,
        vendor: String? = nil, osName: SystemName? = nil, osFamily: SystemFamily? = nil, osVendor: SystemVendor? = nil,
        osVersion: String? = nil, connection: Connection? = nil
    ) {
        self.hardwareType = hardwareType
        self.model = model
        self.version = version
        self.manufacturer = manufacturer
        self.vendor = vendor
        self.osName = osName
        self.osFamily = osFamily
        self.osVendor = osVendor
        self.osVersion = osVersion
        self.connection = connection
    }

    /// The kinds of devices that the service knows.
    public enum HardwareType: String, Sendable, CaseIterable, Encodable {
        case camera = "Camera"
        case dataCollectionTerminal = "DataCollectionTerminal"
        case desktop = "Desktop"
        case embeddedNetworkModule = "EmbeddedNetworkModule"
        case eReader
        case gamesConsole = "GamesConsole"
        case geolocationTracker = "GeolocationTracker"
        case glasses = "Glasses"
        case mediaPlayer = "MediaPlayer"
        case mobilePhone = "MobilePhone"
        case paymentTerminal = "PaymentTerminal"
        case pluginModem = "PluginModem"
        case setTopBox = "SetTopBox"
        case television = "TV"
        case tablet = "Tablet"
        case wirelessHotspot = "WirelessHotspot"
        case wristwatch = "Wristwatch"
        case unknown = "Unknown"
    }

    /// The operating systems that the service knows.
    public enum SystemName: String, Sendable, CaseIterable, Encodable {
        case android = "Android"
        case chromeOS = "Chrome OS"
        case linux = "Linux"
        case macOS = "Mac OS"
        case osX = "OS X"
        case openBSD = "OpenBSD"
        case rokuOS = "Roku OS"
        case windows = "Windows"
        case iOS, tvOS, webOS
    }

    /// The groups of operating systems that the service knows.
    public enum SystemFamily: String, Sendable, CaseIterable, Encodable {
        case android = "Android"
        case bsd = "BSD"
        case linux = "Linux"
        case playStationOS = "PlayStation OS"
        case rokuOS = "Roku OS"
        case symbian = "Symbian"
        case tizen = "Tizen"
        case windows = "Windows"
        case iOS, tvOS, macOS, webOS
    }

    /// The makers of operating systems that the service knows.
    public enum SystemVendor: String, Sendable, CaseIterable, Encodable {
        case amazon = "Amazon"
        case apple = "Apple"
        case google = "Google"
        case lg = "LG"
        case microsoft = "Microsoft"
        case mozilla = "Mozilla"
        case nintendo = "Nintendo"
        case nokia = "Nokia"
        case roku = "Roku"
        case samsung = "Samsung"
        case sony = "Sony"
        case tizenProject = "Tizen Project"
    }

    /// A kind of connection to the network.
    ///
    /// The service's list of kinds is open.
    public struct Connection: RawRepresentable, Sendable, Hashable, Encodable {
        /// The name in the form that is sent.
        public let rawValue: String

        /// Creates a kind from its name.
        ///
        /// - Parameter rawValue: the name, for example `5G`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A wireless local network.
        public static let wifi = Connection(rawValue: "WiFi")
        /// A wired local network.
        public static let lan = Connection(rawValue: "LAN")
        /// A mobile network of any generation.
        public static let cellular = Connection(rawValue: "cellular")
    }
}

extension DeviceInformation {
    /// The description as JSON with sorted names.
    ///
    /// Every process needs it before its first request, which may be a play. So it is written without an encoder, whose
    /// first use takes the longest.
    var json: Data {
        var bytes: [UInt8] = []
        func begin(_ key: CodingKeys) {
            bytes.append(bytes.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
            JSONBytes.append(key.rawValue, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
        }
        func add(_ key: CodingKeys, text: String?) {
            guard let text else { return }
            begin(key)
            JSONBytes.append(text, to: &bytes)
        }
        func add(_ key: CodingKeys, number: Int?) {
            guard let number else { return }
            begin(key)
            bytes += String(number).utf8
        }
        add(.applicationID, text: applicationID)
        add(.connectionAddress, text: connectionAddress)
        add(.connectionPort, number: connectionPort)
        add(.connection, text: connection?.rawValue)
        add(.displayHeight, number: displayHeight)
        add(.displayWidth, number: displayWidth)
        add(.manufacturer, text: manufacturer)
        add(.model, text: model)
        add(.osFamily, text: osFamily?.rawValue)
        add(.osName, text: osName?.rawValue)
        add(.osVendor, text: osVendor?.rawValue)
        add(.osVersion, text: osVersion)
        add(.hardwareType, text: hardwareType?.rawValue)
        add(.vendor, text: vendor)
        add(.version, text: version)
        if bytes.isEmpty { bytes.append(UInt8(ascii: "{")) }
        bytes.append(UInt8(ascii: "}"))
        return Data(bytes)
    }
}
