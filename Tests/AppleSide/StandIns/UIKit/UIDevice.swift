import AppleDevice
public import Foundation

/// The device.
@MainActor
public final class UIDevice {
    /// The device.
    public static let current = UIDevice()

    /// The vendor's id for this device.
    ///
    /// Source: developer.apple.com/documentation/uikit/uidevice/identifierforvendor: nil after a restart until the device is unlocked.
    public var identifierForVendor: UUID? {
        AppleDevice.current.with { state in
            guard state.passcode != .neverEntered, let app = state.running else { return nil }
            return state.vendorIDs[app.vendor]
        }
    }
}
