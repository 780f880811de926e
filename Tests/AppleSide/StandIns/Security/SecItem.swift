import AppleDevice
import Foundation

/// Finds one item.
///
/// Source: developer.apple.com/documentation/security/secitemcopymatching(_:_:) and the pages of the keys: one item unless more are asked
/// for; its data, its attributes, or both in one dictionary.
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    run(.copyMatching, query) { query, groups, state in
        guard let item = state.keychain.first(where: { query.finds($0, groups) }) else { return errSecItemNotFound }
        guard item.isUsable(state.passcode) else { return errSecInteractionNotAllowed }
        if query.wantsAttributes {
            var attributes: [String: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: item.service, kSecAttrAccount: item.account,
                kSecAttrAccessGroup: item.group, kSecAttrAccessible: item.accessible,
            ]
            if let generic = item.generic { attributes[kSecAttrGeneric] = generic }
            if query.wantsData { attributes[kSecValueData] = item.value }
            result?.pointee = attributes as AnyObject
        } else if query.wantsData {
            result?.pointee = item.value as AnyObject
        }
        return errSecSuccess
    }
}

/// Adds an item.
///
/// Source: developer.apple.com/documentation/security/secitemadd(_:_:); the group is the app's first unless one is
/// given (see `App`), a second item with the same primary key is refused, and a locked device has no key to seal the
/// item with.
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    run(.add, attributes) { query, groups, state in
        var item = KeychainItem()
        item.group = groups.first ?? ""
        query.change(&item)
        guard !state.keychain.contains(where: { $0.isSame(as: item) }) else { return errSecDuplicateItem }
        guard item.isUsable(state.passcode) else { return errSecInteractionNotAllowed }
        state.keychain.append(item)
        return errSecSuccess
    }
}

/// Changes every item that is found.
///
/// Source: developer.apple.com/documentation/security/secitemupdate(_:_:).
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    let change: KeychainQuery
    switch KeychainQuery.read(attributesToUpdate, isChange: true) {
    case .success(let read): change = read
    case .failure(let failure): return failure.status
    }
    return run(.update, query) { query, groups, state in
        let found = state.keychain.indices.filter { query.finds(state.keychain[$0], groups) }
        guard !found.isEmpty else { return errSecItemNotFound }
        var keychain = state.keychain
        for index in found {
            guard keychain[index].isUsable(state.passcode) else { return errSecInteractionNotAllowed }
            change.change(&keychain[index])
            let isTaken = keychain.indices.contains { $0 != index && keychain[$0].isSame(as: keychain[index]) }
            if isTaken { return errSecDuplicateItem }
        }
        state.keychain = keychain
        return errSecSuccess
    }
}

/// Parses the query and works on the keychain in one step.
///
/// Source of the entitlement's check: developer.apple.com/documentation/security/errsecmissingentitlement: a group that
/// is not one of the app's is refused.
private func run(
    _ call: KeychainCall, _ dictionary: CFDictionary,
    _ work: (KeychainQuery, _ groups: [String], inout AppleDevice.State) -> OSStatus
) -> OSStatus {
    let device = AppleDevice.current
    device.with(\.beforeKeychainCall)?(call)
    switch KeychainQuery.read(dictionary) {
    case .failure(let failure): return failure.status
    case .success(let query):
        // developer.apple.com/documentation/security/ksecusedataprotectionkeychain: on macOS only a query that says so
        // reaches the keychain with access groups and accessibilities.
        let isLegacy = device.with(\.isMac) && !query.usesDataProtection
        precondition(!isLegacy, "This reaches the older keychain of macOS, which ignores the access group.")
        // A program without an identity has no group, not even its own: a test without an app around it, for example.
        guard device.with({ $0.running?.hasKeychain }) == true else { return errSecMissingEntitlement }
        let groups = device.accessGroups
        if let group = query.group, !groups.contains(group) { return errSecMissingEntitlement }
        return device.with { state in work(query, groups, &state) }
    }
}
