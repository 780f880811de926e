package import Foundation
import TVEModels

/// Facts about this client and this device that requests report to the services.
package enum DeviceFacts {
    /// The version of this library, sent as `client_version`.
    package static let libraryVersion = "0.1.0"

    /// The kind of client, sent as `client_type`.
    package static var clientType: String { System.this.rawValue }

    /// The device that this process runs on.
    ///
    /// Its facts do not change while the process runs.
    package static let device = device(
        hardware: hardware, System.this, ProcessInfo.processInfo.operatingSystemVersion)

    /// An operating system for which apps are compiled.
    package enum System: String, CaseIterable, Sendable {
        case iOS, tvOS, macOS, visionOS
        case android = "Android"
        case linux = "Linux"
        case windows = "Windows"

        package static var this: System {
            #if os(tvOS)
            .tvOS
            #elseif os(visionOS)
            .visionOS
            #elseif os(iOS)
            .iOS
            #elseif os(macOS)
            .macOS
            #elseif os(Android)
            .android
            #elseif os(Windows)
            .windows
            #else
            .linux
            #endif
        }

        fileprivate var isApples: Bool { [.iOS, .tvOS, .macOS, .visionOS].contains(self) }
    }

    /// A closure that returns the system's own report about the connection, or nil if the system has none.
    package static var connection: @Sendable () -> DeviceInformation.Connection? {
        #if canImport(Network)
        let monitor = ConnectionMonitor()
        return { monitor.connection }
        #elseif os(Linux)
        return { DefaultRoute.ofThisMachine.connection }
        #else
        return { nil }
        #endif
    }

    /// Describes a device (REST API v2, 3.3).
    ///
    /// - Parameters:
    ///   - hardware: the machine's name of its model, for example `iPad13,4`; `nil` if it has none.
    ///   - system: the operating system of the device.
    ///   - systemVersion: the version of the system.
    package static func device(
        hardware: String?, _ system: System, _ systemVersion: OperatingSystemVersion
    ) -> DeviceInformation {
        // The documented lists have no value for visionOS. Reporting iOS would claim a version of iOS that was never
        // released.
        let (name, family): (DeviceInformation.SystemName?, DeviceInformation.SystemFamily?) =
            switch system {
            case .iOS: (.iOS, .iOS)
            case .tvOS: (.tvOS, .tvOS)
            case .macOS: (.osX, .macOS)
            case .visionOS: (nil, nil)
            case .android: (.android, .android)
            case .linux: (.linux, .linux)
            case .windows: (.windows, .windows)
            }
        let length = system.isApples ? hardware.map(versionLength) ?? 0 : 0
        let model = hardware.map { String(decoding: $0.utf8.dropLast(length), as: UTF8.self) }
        let version = hardware.map { String(decoding: $0.utf8.suffix(length), as: UTF8.self) }
        return DeviceInformation(
            hardwareType: hardwareType(model ?? "", system), model: model, version: length > 0 ? version : nil,
            manufacturer: system.isApples ? "Apple" : nil, vendor: system.isApples ? "Apple" : nil, osName: name,
            osFamily: family, osVendor: system.isApples ? .apple : nil, osVersion: text(systemVersion))
    }

    /// Returns the number of bytes of the version at the end of a model's name, for example 4 for `iPad13,4`, or 0 if
    /// there is none.
    ///
    /// The first session of a process calls it, and a regular expression would be compiled for this one use.
    private static func versionLength(_ hardware: String) -> Int {
        func digits(_ bytes: some Sequence<UInt8>) -> Int {
            bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
        }
        let bytes = Array(hardware.utf8.reversed())
        let minor = digits(bytes)
        guard minor > 0, bytes.dropFirst(minor).first == UInt8(ascii: ",") else { return 0 }
        let major = digits(bytes.dropFirst(minor + 1))
        return major > 0 ? major + 1 + minor : 0
    }

    /// Returns the kind of device, or `nil` if the system runs on several kinds and the model does not identify one.
    ///
    /// The model is more reliable than the idiom of the interface: an app for iPhone has the phone idiom on an iPad as
    /// well.
    private static func hardwareType(_ model: String, _ system: System) -> DeviceInformation.HardwareType? {
        switch system {
        // The vendor's documents use this value for an Apple TV in their own code for tvOS.
        case .tvOS: .television
        case .visionOS: .glasses
        case .macOS: .desktop
        case .iOS where model.hasBytePrefix("iPad"): .tablet
        case .iOS where model.hasBytePrefix("iPhone") || model.hasBytePrefix("iPod"): .mobilePhone
        // An iPad app that runs on another of Apple's systems.
        case .iOS where model.hasBytePrefix("Mac"): .desktop
        case .iOS where model.hasBytePrefix("RealityDevice"): .glasses
        case .iOS, .android, .linux, .windows: nil
        }
    }

    /// Returns a version in the form that Apple's systems use, which omits a patch version of 0.
    private static func text(_ version: OperatingSystemVersion) -> String {
        let numbers = [version.majorVersion, version.minorVersion, version.patchVersion]
        return (version.patchVersion == 0 ? numbers.dropLast() : numbers[...]).map(String.init).joined(separator: ".")
    }

    /// The machine's name of its model, for example `AppleTV11,1`.
    ///
    /// On Linux it is the name of the processor's architecture.
    private static var hardware: String? {
        #if targetEnvironment(simulator)
        // In the simulator, `uname` would describe the Mac.
        return ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"]
        #elseif os(macOS) || targetEnvironment(macCatalyst)
        // On macOS, `uname` reports only the processor's architecture.
        var size = 0
        // The first call returns the length of the text. The second call writes at most that many bytes.
        guard unsafe sysctlbyname("hw.model", nil, &size, nil, 0) == 0, size > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        guard unsafe sysctlbyname("hw.model", &bytes, &size, nil, 0) == 0 else { return nil }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        #elseif os(Windows)
        return nil
        #else
        var names = utsname()
        // The system fills the structure. Its texts are C arrays that end with a zero.
        guard unsafe uname(&names) == 0 else { return nil }
        return unsafe withUnsafeBytes(of: &names.machine) { text in
            unsafe String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        }
        #endif
    }
}
