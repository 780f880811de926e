import AppleDevice
import Foundation

/// Finds one item.
///
/// Source: developer.apple.com/documentation/security/secitemcopymatching(_:_:) and the pages of the keys: the result
/// is one item unless the query requests more, with its data, its attributes, or both in one dictionary.
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    run(.copyMatching, with: query) { query, groups, state in
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
            // Whether an item without bytes comes as empty data or as nothing is not documented.
            result?.pointee = item.value.isEmpty ? nil : item.value as AnyObject
        }
        return errSecSuccess
    }
}

/// Adds an item.
///
/// Source: developer.apple.com/documentation/security/secitemadd(_:_:). The group is the first one of the app unless
/// one is given (see `App`), a second item with the same primary key is refused, and a locked device has no key with
/// which it could encrypt the item.
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    run(.add, with: attributes) { query, groups, state in
        var item = KeychainItem()
        item.group = groups.first ?? ""
        query.change(&item)
        guard !state.keychain.contains(where: { $0.isSame(as: item) }) else { return errSecDuplicateItem }
        guard item.isUsable(state.passcode) else { return errSecInteractionNotAllowed }
        state.keychain.append(item)
        return errSecSuccess
    }
}

/// Changes every item that matches a query.
///
/// Source: developer.apple.com/documentation/security/secitemupdate(_:_:).
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    let change: KeychainQuery
    switch KeychainQuery.read(attributesToUpdate, isChange: true) {
    case .success(let read): change = read
    case .failure(let failure): return failure.status
    }
    return run(.update, with: query) { query, groups, state in
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

/// Deletes every item that matches a query.
///
/// Source: developer.apple.com/documentation/security/secitemdelete(_:). Whether a locked device can delete is not
/// documented. It needs no key for it.
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    run(.delete, with: query) { query, groups, state in
        let count = state.keychain.count
        state.keychain.removeAll { query.finds($0, groups) }
        return state.keychain.count < count ? errSecSuccess : errSecItemNotFound
    }
}

/// Parses the query, and reads or changes the keychain in one step.
///
/// Source of the check of the entitlement: developer.apple.com/documentation/security/errsecmissingentitlement. A group
/// that the app does not have is refused.
private func run(
    _ call: KeychainCall, with dictionary: CFDictionary,
    work: (KeychainQuery, _ groups: [String], inout AppleDevice.State) -> OSStatus
) -> OSStatus {
    let device = AppleDevice.current
    device.with(\.beforeKeychainCall)?(call)
    switch KeychainQuery.read(dictionary) {
    case .failure(let failure): return failure.status
    case .success(let query):
        // Source: developer.apple.com/documentation/security/ksecusedataprotectionkeychain. On macOS only a query with
        // this key reaches the keychain that has access groups and accessibilities.
        let isLegacy = device.with(\.isMac) && !query.usesDataProtection
        precondition(!isLegacy, "This reaches the older keychain of macOS, which ignores the access group.")
        // A program without an application id, such as a test without a host app, has no group at all.
        guard device.with({ $0.running?.hasKeychain }) == true else { return errSecMissingEntitlement }
        let groups = device.accessGroups
        if let group = query.group, !groups.contains(group) { return errSecMissingEntitlement }
        return device.with { state in work(query, groups, &state) }
    }
}
