import Foundation

/// The device on which every write fails as on a full disk.
///
/// Linux has it, and macOS does not.
public enum FullDevice {
    /// The path of the device.
    public static let path = "/dev/full"

    /// A Boolean value that indicates whether this system has the device.
    public static let isThere = FileManager.default.isWritableFile(atPath: path)
}
