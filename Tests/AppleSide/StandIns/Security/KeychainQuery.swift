import AppleDevice
import Foundation

/// A query for the keychain, parsed strictly from a dictionary: unknown keys are refused rather than ignored.
struct KeychainQuery {
    var service: String?
    var account: String?
    var group: String?
    var accessible: String?
    var generic: Data?
    var value: Data?
    var wantsAttributes = false
    var wantsData = false
    var usesDataProtection = false

    /// Parses a dictionary.
    ///
    /// - Parameters:
    ///   - dictionary: the argument of a keychain call.
    ///   - isChange: `true` for the second argument of `SecItemUpdate`, which may contain only attributes of items.
    ///     Source: developer.apple.com/documentation/security/secitemupdate(_:_:).
    /// - Returns: the query, or the reason for which the keychain refuses it.
    static func read(_ dictionary: CFDictionary, isChange: Bool = false) -> Result<KeychainQuery, KeychainFailure> {
        var query = KeychainQuery()
        var rest = dictionary
        func take<Value>(_ key: String, as type: Value.Type, store: (Value) -> Void) -> Bool {
            guard let any = rest.removeValue(forKey: key) else { return true }
            guard let value = any as? Value else { return false }
            store(value)
            return true
        }
        var isGood =
            take(kSecAttrService, as: String.self) { query.service = $0 }
            && take(kSecAttrAccount, as: String.self) { query.account = $0 }
            && take(kSecAttrAccessGroup, as: String.self) { query.group = $0 }
            && take(kSecAttrAccessible, as: String.self) { query.accessible = $0 }
            && take(kSecAttrGeneric, as: Data.self) { query.generic = $0 }
            && take(kSecValueData, as: Data.self) { query.value = $0 }
        if !isChange {
            // The class is required. Source: developer.apple.com/documentation/security/ksecclass.
            isGood = isGood && (rest.removeValue(forKey: kSecClass) as? String) == kSecClassGenericPassword
            isGood = isGood && take(kSecReturnAttributes, as: Bool.self) { query.wantsAttributes = $0 }
            isGood = isGood && take(kSecUseDataProtectionKeychain, as: Bool.self) { query.usesDataProtection = $0 }
            isGood = isGood && take(kSecReturnData, as: Bool.self) { query.wantsData = $0 }
        }
        guard isGood else { return .failure(KeychainFailure(status: errSecParam)) }
        return rest.isEmpty ? .success(query) : .failure(KeychainFailure(status: errSecNoSuchAttr))
    }

    /// Returns a Boolean value that indicates whether an item matches the query.
    ///
    /// Source: developer.apple.com/documentation/security/searching-for-keychain-items: each attribute of the query
    /// must match the item's, and without a group all groups of the app are searched.
    func finds(_ item: KeychainItem, _ groups: [String]) -> Bool {
        groups.contains(item.group) && (group ?? item.group) == item.group && (service ?? item.service) == item.service
            && (account ?? item.account) == item.account && (accessible ?? item.accessible) == item.accessible
            && (generic == nil || generic == item.generic)
    }

    /// Writes the attributes of the query into an item.
    func change(_ item: inout KeychainItem) {
        if let service { item.service = service }
        if let account { item.account = account }
        if let group { item.group = group }
        if let accessible { item.accessible = accessible }
        if let generic { item.generic = generic }
        if let value { item.value = value }
    }
}

/// The status with which the keychain refuses a call.
struct KeychainFailure: Error {
    let status: OSStatus
}
