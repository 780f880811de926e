import Foundation
package import TVENetworking

/// What is known about this client and this device.
package enum DeviceFacts {
    /// Version of this library, sent as `client_version`.
    static let libraryVersion = "0.1.0"

    /// The kind of client, sent as `client_type`.
    package static var clientType: String { System.this.rawValue }

    /// The device that this process runs on; its facts do not change while the process runs.
    package static let device = device(
        hardware: hardware, System.this, ProcessInfo.processInfo.operatingSystemVersion)

    /// A system that apps are compiled for.
    package enum System: String, CaseIterable, Sendable {
        case iOS, tvOS, macOS, visionOS
        case android = "Android"
        case linux = "Linux"
        case windows = "Windows"

        static var this: System {
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

    /// Describes a device (REST API v2, 3.3).
    ///
    /// - Parameters:
    ///   - hardware: the machine's own name of its model, for example `iPad13,4`; nil if it has none.
    ///   - system: its system.
    ///   - systemVersion: the version of the system.
    package static func device(
        hardware: String?, _ system: System, _ systemVersion: OperatingSystemVersion
    ) -> DeviceInformation {
        // The lists have no word for visionOS, and to call it iOS would make it an iOS that was never released.
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
        let version = hardware.flatMap { system.isApples ? $0.firstMatch(of: /[0-9]+,[0-9]+$/) : nil }
        let model = hardware.map { String($0[..<(version?.range.lowerBound ?? $0.endIndex)]) }
        return DeviceInformation(
            hardwareType: hardwareType(model ?? "", system), model: model, version: version.map { String($0.output) },
            manufacturer: system.isApples ? "Apple" : nil, vendor: system.isApples ? "Apple" : nil, osName: name,
            osFamily: family, osVendor: system.isApples ? .apple : nil, osVersion: text(systemVersion))
    }

    /// The kind of device; nil where the system runs on several kinds and the model does not tell which this is.
    ///
    /// The model tells more than the interface's idiom: an app that is made for telephones has their idiom on an iPad
    /// too.
    private static func hardwareType(_ model: String, _ system: System) -> DeviceInformation.HardwareType? {
        switch system {
        // What the documents call an Apple TV in their own code for tvOS.
        case .tvOS: .television
        case .visionOS: .glasses
        case .macOS: .desktop
        case .iOS where model.hasBytePrefix("iPad"): .tablet
        case .iOS where model.hasBytePrefix("iPhone") || model.hasBytePrefix("iPod"): .mobilePhone
        // An app for iPad on another of Apple's systems.
        case .iOS where model.hasBytePrefix("Mac"): .desktop
        case .iOS where model.hasBytePrefix("RealityDevice"): .glasses
        case .iOS, .android, .linux, .windows: nil
        }
    }

    /// As Apple's systems write it: without a last 0.
    private static func text(_ version: OperatingSystemVersion) -> String {
        let numbers = [version.majorVersion, version.minorVersion, version.patchVersion]
        return (version.patchVersion == 0 ? numbers.dropLast() : numbers[...]).map(String.init).joined(separator: ".")
    }

    /// The machine's name of its model, for example `AppleTV11,1`; on Linux that of its processor.
    private static var hardware: String? {
        #if targetEnvironment(simulator)
        // The machine is the Mac.
        return ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"]
        #elseif os(macOS) || targetEnvironment(macCatalyst)
        // Here `uname` knows the processor alone.
        var size = 0
        // The system writes the length of the text, then as many bytes as there is room for.
        guard unsafe sysctlbyname("hw.model", nil, &size, nil, 0) == 0, size > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        guard unsafe sysctlbyname("hw.model", &bytes, &size, nil, 0) == 0 else { return nil }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        #elseif os(Windows)
        return nil
        #else
        var names = utsname()
        // The system fills the structure, whose texts are arrays of C; they end with a zero.
        guard unsafe uname(&names) == 0 else { return nil }
        return unsafe withUnsafeBytes(of: &names.machine) { text in
            unsafe String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        }
        #endif
    }
}
