// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// The lock state of a device, which decides which keychain items can be read.
public enum Passcode: Sendable, Hashable, CaseIterable {
    /// The viewer has not unlocked it since the start.
    case neverEntered
    /// It was unlocked after the start, and is locked now.
    case locked
    case unlocked
}

public enum KeychainCall: Sendable, Hashable {
    case copyMatching
    case add
    case update
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
    /// Source: developer.apple.com/documentation/security/ksecattraccessible: items are readable while the device is unlocked unless
    /// they say otherwise.
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

    /// Whether the item can be used now.
    ///
    /// Source: developer.apple.com/documentation/security/restricting-keychain-item-accessibility: after the first unlock until the
    /// next restart, or only while unlocked. The system may let attributes be read in more states than the value; this does not.
    public func isUsable(_ passcode: Passcode) -> Bool {
        [Self.afterFirstUnlock, Self.afterFirstUnlockThisDeviceOnly].contains(accessible)
            ? passcode != .neverEntered : passcode == .unlocked
    }

    /// Whether another item has the same primary key.
    ///
    /// Source: the primary key of generic passwords, developer.apple.com/documentation/security/errsecduplicateitem: service, account
    /// and access group (items that iCloud synchronises are not part of this).
    public func isSame(as other: KeychainItem) -> Bool {
        service == other.service && account == other.account && group == other.group
    }
}
