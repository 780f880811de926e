import Foundation

#if canImport(UIKit)
import UIKit
#endif

/// Reads what the operating system offers as a stable id of this machine.
public enum MachineSeed {
    /// The machine's own id, or nil where the system has none that an app may read.
    ///
    /// Linux: the machine id of systemd or D-Bus. iOS and tvOS: the vendor id, which the system already computes per
    /// vendor. Elsewhere nil; the caller then stores random bytes of its own. Reads at most one small file.
    ///
    /// - Throws: ``NotYetKnown``.
    public static func read() async throws(NotYetKnown) -> DeviceSeed? {
        #if canImport(UIKit)
        guard let id = await MainActor.run(body: { UIDevice.current.identifierForVendor }) else { throw NotYetKnown() }
        return DeviceSeed(id.uuidString, .vendorID)
        #elseif os(Linux)
        return read(from: ["/etc/machine-id", "/var/lib/dbus/machine-id"]).map { DeviceSeed($0, .machineID) }
        #else
        return nil
        #endif
    }

    /// The system has an id for this device and does not say it now: on iOS before the first unlock after a restart.
    public struct NotYetKnown: Error {
        package init() {}
    }

    /// The first of the files that holds a machine id: 32 hexadecimal characters.
    package static func read(from paths: [String]) -> String? {
        for path in paths {
            guard let file = FileHandle(forReadingAtPath: path) else { continue }
            defer { try? file.close() }
            guard let bytes = try? file.read(upToCount: 128) else { continue }
            let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            if text.utf8.count == 32, text.allSatisfy(\.isHexDigit) { return text.lowercased() }
        }
        return nil
    }
}
