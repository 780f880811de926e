#if os(Linux)
import Foundation
import TVETestTraits
import Testing

@testable import TVENetworking

/// Tests of the kind of network connection that Linux reports through its default route.
@Suite(.row("CL22"))
struct DefaultRouteTests {
    private static let head = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"

    private static func route(
        _ device: String, to destination: String = "00000000", metric: Int, flags: String = "0003",
        mask: String? = nil
    ) -> String {
        let mask = mask ?? (destination == "00000000" ? "00000000" : "00FFFFFF")
        return "\(device)\t\(destination)\t010200C0\t\(flags)\t0\t0\t\(metric)\t\(mask)\t0\t0\t0\n"
    }

    private static let ipv6 =
        "00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 "
        + "0000000f 00000001 00000000 0045000f     wl0\n"
        + "00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 "
        + "ffffffff 00000001 00000000 00200200       lo\n"

    private static func ipv6Route(_ device: String, metric: Int, length: Int = 0, flags: Int = 3) -> String {
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number, radix: 16)
            return String(repeating: "0", count: count - text.utf8.count) + text
        }
        let all = String(repeating: "0", count: 32)
        return "\(all) \(digits(length, 2)) \(all) 00 \(all) \(digits(metric, 8)) 00000001 00000000 "
            + "\(digits(flags, 8)) \(device)\n"
    }

    /// A system's folders, by path.
    private static let devices = [
        "sys/class/net/eth0/type": "1\n", "sys/class/net/eth0/device/vendor": "0x1\n",
        "sys/class/net/eth0/uevent": "INTERFACE=eth0\n",
        "sys/class/net/wl0/type": "1\n", "sys/class/net/wl0/device/vendor": "0x1\n",
        "sys/class/net/wl0/uevent": "DEVTYPE=wlan\nINTERFACE=wl0\n",
        "sys/class/net/old0/type": "1\n", "sys/class/net/old0/wireless/status": "",
        "sys/class/net/old0/uevent": "INTERFACE=old0\n",
        "sys/class/net/wwan0/type": "65534\n", "sys/class/net/wwan0/uevent": "DEVTYPE=wwan\n",
        "sys/class/net/veth0/type": "1\n", "sys/class/net/veth0/uevent": "INTERFACE=veth0\n",
        "sys/class/net/br0/type": "1\n", "sys/class/net/br0/uevent": "DEVTYPE=bridge\n",
        "sys/class/net/tun0/type": "65534\n", "sys/class/net/tun0/uevent": "",
    ]

    @Test(
        arguments: [
            (route("eth0", metric: 100), "", DeviceInformation.Connection.lan), (route("wl0", metric: 0), "", .wifi),
            (route("old0", metric: 0), "", .wifi), (route("wwan0", metric: 0), "", .cellular),
            // A route through a gateway that a redirect has named.
            (route("eth0", metric: 0, flags: "0013"), "", .lan),
            // The smallest metric decides; a route that is not up, or leads elsewhere, does not count.
            (route("eth0", metric: 600) + route("wl0", metric: 100), "", .wifi),
            (route("wl0", metric: 1, flags: "0002") + route("eth0", metric: 600), "", .lan),
            (route("wl0", to: "0000A8C0", metric: 1) + route("eth0", metric: 600), "", .lan),
            ("", ipv6, .wifi), (route("eth0", metric: 9), ipv6, .lan),
            // One half of all addresses, as a tunnel takes them, is not the default.
            (route("wl0", metric: 1, mask: "00000080") + route("eth0", metric: 600), "", .lan),
            ("", ipv6Route("wl0", metric: 1, length: 1) + ipv6Route("eth0", metric: 600), .lan),
            ("", ipv6Route("eth0", metric: 600) + ipv6Route("wl0", metric: 20), .wifi),
            ("", ipv6Route("wl0", metric: 1, flags: 2) + ipv6Route("eth0", metric: 600), .lan),
            // What the system does not say is not known.
            (route("veth0", metric: 0), "", nil), (route("br0", metric: 0), "", nil),
            (route("tun0", metric: 0), "", nil),
            (route("gone0", metric: 0), "", nil), (route("../net/eth0", metric: 0), "", nil), ("", "", nil),
            ("eth0\t00000000\n\u{0}\tx", "zz", nil),
        ] as [(String, String, DeviceInformation.Connection?)])
    func namesTheDeviceOfTheDefaultRoute(
        routes: String, ipv6: String, connection: DeviceInformation.Connection?
    ) throws {
        let root = try Self.system(routes, ipv6)
        defer { try? FileManager.default.removeItem(at: root) }
        #expect(DefaultRoute.connection(below: root) == connection)
    }

    /// A request to the service asks for it each time.
    @Test func isNotReadAgain_withinTenSeconds() throws {
        let root = try Self.system(Self.route("eth0", metric: 100))
        defer { try? FileManager.default.removeItem(at: root) }
        let route = DefaultRoute(below: root)
        #expect(route.connection == .lan)
        try FileManager.default.removeItem(at: root)
        #expect(route.connection == .lan)
    }

    /// Returns a new folder with the folders of a system that has these routes.
    private static func system(_ routes: String, _ ipv6: String = "") throws -> URL {
        let root = URL.testFolder.appending(path: "default-route-\(UUID().uuidString)")
        for (path, text) in devices.merging(
            ["proc/net/route": head + routes, "proc/net/ipv6_route": ipv6], uniquingKeysWith: { $1 })
        {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: false, encoding: .utf8)
        }
        return root
    }

    @Test func readsTheSystemsOwn() {
        let route = DefaultRoute()
        #expect(route.connection == DefaultRoute.connection(below: URL(fileURLWithPath: "/")))
    }
}
#endif
