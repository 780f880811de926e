// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// The lock state of a device, which decides which keychain items can be read.
public enum Passcode: Sendable, Hashable, CaseIterable {
    /// The viewer has not unlocked the device since its start.
    case neverEntered
    /// The device was unlocked after its start, and is locked now.
    case locked
    case unlocked
}

public enum KeychainCall: Sendable, Hashable {
    case copyMatching
    case add
    case update
    case delete
}

/// A generic password.
public struct KeychainItem: Sendable, Hashable {
    /// `kSecAttrService`.
    public var service = ""
    /// `kSecAttrAccount`.
    public var account = ""
    /// `kSecAttrAccessGroup`.
    public var group = ""
    /// `kSecAttrAccessible`.
    ///
    /// Source: developer.apple.com/documentation/security/ksecattraccessible. By default items are readable while the
    /// device is unlocked.
    public var accessible = KeychainItem.whenUnlocked
    /// `kSecAttrGeneric`.
    public var generic: Data?
    /// `kSecValueData`.
    public var value = Data()

    public init() {}

    /// The value of `kSecAttrAccessibleWhenUnlocked`.
    public static let whenUnlocked = "ak"
    /// The value of `kSecAttrAccessibleAfterFirstUnlock`.
    public static let afterFirstUnlock = "ck"
    /// The value of `kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly`.
    public static let afterFirstUnlockThisDeviceOnly = "cku"

    /// Returns a Boolean value that indicates whether the item can be used in a lock state.
    ///
    /// Source: developer.apple.com/documentation/security/restricting-keychain-item-accessibility. An item can be used
    /// from the first unlock until the next restart, or only while the device is unlocked. The system may permit
    /// reading the attributes in more states than the value, which is not simulated.
    public func isUsable(_ passcode: Passcode) -> Bool {
        [Self.afterFirstUnlock, Self.afterFirstUnlockThisDeviceOnly].contains(accessible)
            ? passcode != .neverEntered : passcode == .unlocked
    }

    /// Returns a Boolean value that indicates whether another item has the same primary key.
    ///
    /// Source: developer.apple.com/documentation/security/errsecduplicateitem. The primary key of a generic password
    /// consists of service, account and access group. Items that iCloud synchronises are not simulated.
    public func isSame(as other: KeychainItem) -> Bool {
        service == other.service && account == other.account && group == other.group
    }
}
