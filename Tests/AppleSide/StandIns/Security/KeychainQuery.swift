import AppleDevice
import Foundation

/// A dictionary for the keychain, parsed strictly: unknown keys are refused rather than ignored.
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

    /// - Parameters:
    ///   - dictionary: the argument of a keychain call.
    ///   - isChange: whether it is the second one of `SecItemUpdate`, which has attributes of items and nothing else. Source:
    ///     developer.apple.com/documentation/security/secitemupdate(_:_:).
    /// - Returns: the query, or why there is none.
    static func read(_ dictionary: CFDictionary, isChange: Bool = false) -> Result<KeychainQuery, KeychainFailure> {
        var query = KeychainQuery()
        var rest = dictionary
        func take<Value>(_ key: String, _ type: Value.Type, _ keep: (Value) -> Void) -> Bool {
            guard let any = rest.removeValue(forKey: key) else { return true }
            guard let value = any as? Value else { return false }
            keep(value)
            return true
        }
        var isGood =
            take(kSecAttrService, String.self) { query.service = $0 }
            && take(kSecAttrAccount, String.self) { query.account = $0 }
            && take(kSecAttrAccessGroup, String.self) { query.group = $0 }
            && take(kSecAttrAccessible, String.self) { query.accessible = $0 }
            && take(kSecAttrGeneric, Data.self) { query.generic = $0 }
            && take(kSecValueData, Data.self) { query.value = $0 }
        if !isChange {
            // A class is required. Source: developer.apple.com/documentation/security/ksecclass.
            isGood = isGood && (rest.removeValue(forKey: kSecClass) as? String) == kSecClassGenericPassword
            isGood = isGood && take(kSecReturnAttributes, Bool.self) { query.wantsAttributes = $0 }
            isGood = isGood && take(kSecUseDataProtectionKeychain, Bool.self) { query.usesDataProtection = $0 }
            isGood = isGood && take(kSecReturnData, Bool.self) { query.wantsData = $0 }
        }
        guard isGood else { return .failure(KeychainFailure(status: errSecParam)) }
        return rest.isEmpty ? .success(query) : .failure(KeychainFailure(status: errSecNoSuchAttr))
    }

    /// Whether an item matches the query.
    ///
    /// Source: developer.apple.com/documentation/security/searching-for-keychain-items: each attribute of the query
    /// must match the item's, and without a group all groups of the app are searched.
    func finds(_ item: KeychainItem, _ groups: [String]) -> Bool {
        groups.contains(item.group) && (group ?? item.group) == item.group && (service ?? item.service) == item.service
            && (account ?? item.account) == item.account && (accessible ?? item.accessible) == item.accessible
            && (generic == nil || generic == item.generic)
    }

    /// Writes the attributes into an item.
    func change(_ item: inout KeychainItem) {
        if let service { item.service = service }
        if let account { item.account = account }
        if let group { item.group = group }
        if let accessible { item.accessible = accessible }
        if let generic { item.generic = generic }
        if let value { item.value = value }
    }
}

/// Why the keychain refuses.
struct KeychainFailure: Error {
    let status: OSStatus
}
