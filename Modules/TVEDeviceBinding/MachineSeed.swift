import Foundation

#if canImport(UIKit)
import UIKit
#endif

/// A reader of the stable machine id that the operating system offers.
public enum MachineSeed {
    /// Returns the machine's own id, or nil where the system has none that an app may read.
    ///
    /// On Linux, this is the machine id of systemd or D-Bus. On iOS and tvOS, it is the vendor id, which the system
    /// already computes per vendor. On other systems the result is nil, and the caller stores random bytes of its own.
    /// The function reads at most two small files.
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

    /// An error for a device whose id the system does not provide yet, as on iOS before the first unlock after a
    /// restart.
    public struct NotYetKnown: Error, CustomStringConvertible {
        package init() {}

        /// A sentence about what was found, followed by one about what to do, for developers.
        public var description: String {
            "The system does not provide the id of this device yet. Try again when the device has been unlocked."
        }
    }

    /// Returns the machine id from the first file that contains one, which is 32 hexadecimal characters.
    ///
    /// An id of zeros is invalid, as systemd defines it. All machines that have it would be one device.
    package static func read(from paths: [String]) -> String? {
        for path in paths {
            guard let file = FileHandle(forReadingAtPath: path) else { continue }
            defer { try? file.close() }
            guard let bytes = try? file.read(upToCount: 128) else { continue }
            let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            if text.utf8.count == 32, text.allSatisfy(\.isHexDigit), text.contains(where: { $0 != "0" }) {
                return text.lowercased()
            }
        }
        return nil
    }
}
