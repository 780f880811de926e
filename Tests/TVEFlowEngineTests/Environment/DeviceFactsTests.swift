import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVETestSupport
import TVETestTraits
import Testing

/// Tests that the description of the device contains only true facts and omits unknown ones (REST API v2, 3.3).
@Suite(.fewAtATime, .timeLimit(.hanging))
struct DeviceFactsTests {
    private static func version(_ major: Int, _ minor: Int, patch: Int = 0) -> OperatingSystemVersion {
        OperatingSystemVersion(majorVersion: major, minorVersion: minor, patchVersion: patch)
    }

    /// Returns the JSON that describes a device.
    private static func sent(_ device: DeviceInformation) throws -> [String: String] {
        try JSONDecoder().decode([String: String].self, from: JSONEncoder().encode(device))
    }

    private static let apples = ["manufacturer": "Apple", "vendor": "Apple", "osVendor": "Apple"]

    @Test(
        .row("CL22", "REST API v2, 3.3"),
        arguments: [
            (
                "iPhone15,2", .iOS, version(18, 2),
                [
                    "primaryHardwareType": "MobilePhone", "model": "iPhone", "version": "15,2", "osName": "iOS",
                    "osFamily": "iOS", "osVersion": "18.2",
                ]
            ),
            (
                "iPad13,4", .iOS, version(18, 2, patch: 1),
                [
                    "primaryHardwareType": "Tablet", "model": "iPad", "version": "13,4", "osName": "iOS",
                    "osFamily": "iOS", "osVersion": "18.2.1",
                ]
            ),
            (
                "AppleTV14,1", .tvOS, version(26, 0),
                [
                    "primaryHardwareType": "TV", "model": "AppleTV", "version": "14,1", "osName": "tvOS",
                    "osFamily": "tvOS", "osVersion": "26.0",
                ]
            ),
            (
                "MacBookPro18,3", .macOS, version(14, 6, patch: 1),
                [
                    "primaryHardwareType": "Desktop", "model": "MacBookPro", "version": "18,3", "osName": "OS X",
                    "osFamily": "macOS", "osVersion": "14.6.1",
                ]
            ),
            // The service's lists have no name for this system.
            (
                "RealityDevice14,1", .visionOS, version(26, 1),
                [
                    "primaryHardwareType": "Glasses", "model": "RealityDevice", "version": "14,1",
                    "osVersion": "26.1",
                ]
            ),
            // A version has two numbers.
            (
                "Mac,7", .macOS, version(14, 6),
                [
                    "primaryHardwareType": "Desktop", "model": "Mac,7", "osName": "OS X", "osFamily": "macOS",
                    "osVersion": "14.6",
                ]
            ),
            (
                "Mac14,", .macOS, version(14, 6),
                [
                    "primaryHardwareType": "Desktop", "model": "Mac14,", "osName": "OS X", "osFamily": "macOS",
                    "osVersion": "14.6",
                ]
            ),
            // Old devices, and apps for the iPad on another of Apple's systems.
            (
                "iPod9,1", .iOS, version(15, 8),
                [
                    "primaryHardwareType": "MobilePhone", "model": "iPod", "version": "9,1", "osName": "iOS",
                    "osFamily": "iOS", "osVersion": "15.8",
                ]
            ),
            (
                "Mac14,2", .iOS, version(18, 2),
                [
                    "primaryHardwareType": "Desktop", "model": "Mac", "version": "14,2", "osName": "iOS",
                    "osFamily": "iOS", "osVersion": "18.2",
                ]
            ),
            (
                "RealityDevice14,1", .iOS, version(18, 2),
                [
                    "primaryHardwareType": "Glasses", "model": "RealityDevice", "version": "14,1", "osName": "iOS",
                    "osFamily": "iOS", "osVersion": "18.2",
                ]
            ),
            // Without a known model the kind of device is not known either, except where the system has one kind alone.
            (
                "arm64", .iOS, version(18, 0),
                ["model": "arm64", "osName": "iOS", "osFamily": "iOS", "osVersion": "18.0"]
            ),
            (
                nil, .tvOS, version(18, 0),
                ["primaryHardwareType": "TV", "osName": "tvOS", "osFamily": "tvOS", "osVersion": "18.0"]
            ),
        ] as [(String?, DeviceFacts.System, OperatingSystemVersion, [String: String])])
    func describesEachOfApplesDevices(
        hardware: String?, system: DeviceFacts.System, version: OperatingSystemVersion, expected: [String: String]
    ) throws {
        let device = DeviceFacts.device(hardware: hardware, system, version)
        #expect(try Self.sent(device) == expected.merging(Self.apples) { $1 })
    }

    // A computer, a set-top box and a stick may run these systems.
    @Test(
        .row("REST API v2, 3.3"),
        arguments: [(.linux, "Linux"), (.android, "Android"), (.windows, "Windows")] as [(DeviceFacts.System, String)])
    func saysNothingAboutTheKindOfDevice_whereTheSystemRunsOnSeveral(
        system: DeviceFacts.System, name: String
    ) throws {
        let device = DeviceFacts.device(hardware: "armv7,1", system, Self.version(6, 1))
        #expect(
            try Self.sent(device) == ["model": "armv7,1", "osName": name, "osFamily": name, "osVersion": "6.1"])
    }

    /// A television has no browser.
    @Test(arguments: DeviceFacts.System.allCases)
    func aLoginIsOnASecondScreen_onTVOSAlone(system: DeviceFacts.System) {
        #expect(LoginStyle.style(of: system) == (system == .tvOS ? .secondScreen : .browser))
    }

    // MARK: - In requests

    /// Records the device information of every request that has some.
    private static func recorded(_ fixture: FlowFixture) -> Guarded<[[String: String]]> {
        let seen = Guarded<[[String: String]]>([])
        fixture.transport.setScript { request, body in
            let form = URLComponents(string: "?" + String(decoding: body ?? Data(), as: UTF8.self))?.queryItems
            let text =
                HTTPField.Name("X-Device-Info").flatMap { request.headerFields[$0] }
                ?? form?.first { $0.name == "device_info" }?.value
            if let bytes = text.flatMap({ Data(base64Encoded: $0) }),
                var info = try? JSONDecoder().decode([String: String].self, from: bytes)
            {
                info["networkType"] = form?.first { $0.name == "networkType" }?.value
                seen.withLock { $0.append(info) }
            }
            return nil
        }
        return seen
    }

    @Test(.row("CL22", "REST API v2, 3.3"), arguments: ServiceDialect.allCases)
    func whatIsNotKnown_isNotSent(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let seen = Self.recorded(fixture)
        let (session, _) = try await fixture.session {
            $0.deviceInformation = DeviceInformation(model: "Box", osName: .linux)
            $0.connection = { nil }
        }
        try await session.authenticate(using: ViewerWhoLogsIn())
        let infos = seen.withLock(\.self)
        #expect(!infos.isEmpty)
        #expect(infos.allSatisfy { $0 == ["model": "Box", "osName": "Linux"] }, "\(infos)")
    }

    @Test(
        .row("CL22", "REST API v2, 3.3"),
        arguments: ServiceDialect.both([
            (.wifi, "WiFi", "WIFI"), (.lan, "LAN", "ETHERNET"), (.cellular, "cellular", "MOBILE"),
            (DeviceInformation.Connection(rawValue: "5G"), "5G", nil), (nil, nil, nil),
        ]))
    func theConnection_isThatOfTheMoment(
        dialect: ServiceDialect, connection: DeviceInformation.Connection?, name: String?, classicName: String?
    ) async throws {
        let fixture = try await FlowFixture(dialect)
        let now = Guarded<DeviceInformation.Connection?>(DeviceInformation.Connection(rawValue: "at first"))
        let (session, _) = try await fixture.session { $0.connection = { now.withLock(\.self) } }
        try await session.authenticate(using: ViewerWhoLogsIn())
        now.withLock { $0 = connection }
        let seen = Self.recorded(fixture)
        _ = try await session.authorize("DEMO-1")
        let infos = seen.withLock(\.self)
        #expect(!infos.isEmpty)
        for info in infos {
            #expect(info["connectionType"] == name)
            #expect(info["networkType"] == (dialect == .classic ? classicName : nil))
        }
    }

    /// The app may set its option at any time, and remove it again.
    @Test(.row("CL22"), arguments: ServiceDialect.allCases)
    func theAppsOwnDescription_isThatOfTheMoment(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let own = Guarded<String?>(nil)
        let (session, _) = try await fixture.session {
            $0.deviceInformation = DeviceInformation(model: "Box", osName: .linux)
            $0.connection = { nil }
            $0.options = { ClientOptions(deviceInfo: own.withLock(\.self)) }
        }
        try await session.authenticate(using: ViewerWhoLogsIn())
        for (resource, model) in [("DEMO-1", "Own"), ("DEMO-2", "Box")] as [(Resource, String)] {
            let option = model == "Own" ? Data(#"{"model":"Own"}"#.utf8).base64EncodedString() : nil
            own.withLock { $0 = option }
            let seen = Self.recorded(fixture)
            _ = try await session.authorize(resource)
            let infos = seen.withLock(\.self)
            #expect(!infos.isEmpty)
            #expect(infos.allSatisfy { $0 == ["model": model, "osName": "Linux"] }, "\(infos)")
        }
    }
}
