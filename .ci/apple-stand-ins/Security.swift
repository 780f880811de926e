// What the code for Apple systems uses of their Security framework, as far as a compiler must know it.
import Foundation

public typealias CFTypeRef = AnyObject
public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias OSStatus = Int32

public let kSecClass = ""
public let kSecClassGenericPassword = ""
public let kSecAttrService = ""
public let kSecAttrAccount = ""
public let kSecAttrAccessGroup = ""
public let kSecAttrAccessible = ""
public let kSecAttrAccessibleAfterFirstUnlock = ""
public let kSecAttrGeneric = ""
public let kSecReturnAttributes = ""
public let kSecReturnData = ""
public let kSecValueData = ""
public let errSecSuccess: OSStatus = 0
public let errSecDuplicateItem: OSStatus = -25_299
public let errSecItemNotFound: OSStatus = -25_300
public let errSecInteractionNotAllowed: OSStatus = -25_308

public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus { 0 }
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
