#if os(Linux)
import Foundation
import TVEModels

/// The default route of this machine, whose device shows the kind of the network connection.
final class DefaultRoute: Sendable {
    /// The default route of this machine, shared by all sessions of the process because a lookup costs as much as
    /// creating a session.
    static let ofThisMachine = DefaultRoute()

    private let root: URL
    private let known = Guarded<(connection: DeviceInformation.Connection?, read: ContinuousClock.Instant)?>(nil)

    /// Creates a route that is read from the system's files.
    ///
    /// - Parameter root: the folder that contains the system's folders `proc` and `sys`.
    init(below root: URL = URL(fileURLWithPath: "/")) {
        self.root = root
    }

    /// The kind of the current connection, read at most once every ten seconds.
    ///
    /// The value is `nil` without a default route, and for a device whose kind the system does not report, for example
    /// the device of a container or of a tunnel.
    var connection: DeviceInformation.Connection? {
        let now = ContinuousClock.now
        if let last = known.withLock({ $0 }), now - last.read < .seconds(10) { return last.connection }
        let found = Self.connection(below: root)
        known.withLock { $0 = (found, now) }
        return found
    }

    /// Returns the kind of connection of the default route.
    ///
    /// - Parameter root: the folder that contains the system's folders `proc` and `sys`.
    static func connection(below root: URL) -> DeviceInformation.Connection? {
        func read(_ path: String) -> String {
            (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
        }
        guard
            let device = device(ofRoutes: read("proc/net/route")) ?? device(ofIPv6Routes: read("proc/net/ipv6_route")),
            // The name becomes a component of a path.
            !device.utf8.contains(UInt8(ascii: "/")), device != ".."
        else { return nil }
        let folder = "sys/class/net/\(device)"
        func exists(_ name: String) -> Bool {
            FileManager.default.fileExists(atPath: root.appending(path: "\(folder)/\(name)").path)
        }
        let kind = read("\(folder)/uevent").parts(separatedBy: "\n").first { $0.hasBytePrefix("DEVTYPE=") }
        switch kind.map({ String(decoding: $0.utf8.dropFirst(8), as: UTF8.self) }) {
        case "wlan": return .wifi
        case "wwan": return .cellular
        case nil where exists("wireless") || exists("phy80211"): return .wifi
        // A physical Ethernet device, not the end of a tunnel or a bridge.
        case nil
        where exists("device") && read("\(folder)/type").trimmingCharacters(in: .whitespacesAndNewlines) == "1":
            return .lan
        default: return nil
        }
    }

    /// Returns the device of the IPv4 default route with the smallest metric.
    ///
    /// Each line has the fields device, destination, gateway, flags, two counters, metric and mask.
    private static func device(ofRoutes text: String) -> String? {
        text.parts(separatedBy: "\n").compactMap { line -> (device: String, metric: Int)? in
            let fields = fields(of: line)
            guard fields.count >= 8, fields[1] == "00000000", fields[7] == "00000000",
                let flags = Int(fields[3], radix: 16), flags & 1 == 1, let metric = Int(fields[6])
            else { return nil }
            return (fields[0], metric)
        }.min { $0.metric < $1.metric }?.device
    }

    /// Returns the device of the IPv6 default route with the smallest metric.
    ///
    /// Each line has the prefix length after the destination, the metric in the sixth field and the device in the last
    /// field.
    private static func device(ofIPv6Routes text: String) -> String? {
        text.parts(separatedBy: "\n").compactMap { line -> (device: String, metric: UInt32)? in
            let fields = fields(of: line)
            guard fields.count >= 10, fields[0].utf8.allSatisfy({ $0 == UInt8(ascii: "0") }), fields[1] == "00",
                let flags = UInt32(fields[8], radix: 16), flags & 1 == 1, fields[9] != "lo",
                let metric = UInt32(fields[5], radix: 16)
            else { return nil }
            return (fields[9], metric)
        }.min { $0.metric < $1.metric }?.device
    }

    private static func fields(of line: Substring) -> [String] {
        line.utf8.split { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }.map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}
#endif
