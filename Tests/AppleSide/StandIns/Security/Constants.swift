// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The names and their meanings are Apple's.

// The names and values of Security/SecItem.h, SecItemConstants.c and SecBase.h that the code for Apple systems uses, or
// that one of its queries might use.

public typealias CFTypeRef = AnyObject
public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias OSStatus = Int32

public let kSecClass = "class"
public let kSecClassGenericPassword = "genp"
public let kSecAttrService = "svce"
public let kSecAttrAccount = "acct"
public let kSecAttrAccessGroup = "agrp"
public let kSecAttrAccessible = "pdmn"
public let kSecAttrAccessibleWhenUnlocked = "ak"
public let kSecAttrAccessibleAfterFirstUnlock = "ck"
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly = "cku"
public let kSecAttrGeneric = "gena"
public let kSecReturnAttributes = "r_Attributes"
public let kSecReturnData = "r_Data"
public let kSecUseDataProtectionKeychain = "nleg"
public let kSecValueData = "v_Data"

public let errSecSuccess: OSStatus = 0
public let errSecParam: OSStatus = -50
public let errSecDuplicateItem: OSStatus = -25_299
public let errSecItemNotFound: OSStatus = -25_300
public let errSecNoSuchAttr: OSStatus = -25_303
public let errSecInteractionNotAllowed: OSStatus = -25_308
public let errSecMissingEntitlement: OSStatus = -34_018
