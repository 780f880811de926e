import Foundation
import TVENetworking
import TVEStorage

extension StorageError {
    /// Why the store cannot be used, for people.
    var sentence: String {
        switch self {
        case .cannotRead(let number): "The store cannot be read: \(Self.system(number))."
        case .cannotWrite(let number): "The store cannot be written: \(Self.system(number))."
        case .locked: "Another process keeps the store locked."
        case .tooLarge(let limit): "The store is larger than \(limit) bytes."
        case .notAFile: "The store is not a regular file."
        case .permissionsTooOpen: "Other users may read or write the store."
        case .foreignOwner: "The store belongs to another user."
        case .damaged(.truncated): "The store is damaged: its end is missing."
        case .damaged(.checksum): "The store is damaged: its bytes do not match their checksum."
        case .unknownLayout: "A newer version wrote the store."
        case .invalidKey: "The sealing key has the wrong length."
        case .keyMissing: "The sealing key is missing or not the key of this store."
        case .invalidValue(let key): "The value of \(key.rawValue) is not valid for its key."
        }
    }

    /// The keychain's numbers are negative, and the system has no text for them.
    private static func system(_ number: Int32) -> String {
        number > 0 ? "\(String(cString: strerror(number))) (error \(number))" : "error \(number)"
    }
}

extension TransportError {
    /// Why there is no answer, for people.
    var reason: String {
        switch self {
        case .unreachable: "no connection"
        case .timedOut: "no complete answer in time"
        case .notTrusted: "its certificate or its TLS connection cannot be trusted"
        case .answerTooLarge(let limit): "the answer is longer than \(limit) bytes"
        case .invalid: "the request or the answer is not valid HTTP"
        case .cancelled: "cancelled"
        case .other(let code): "error \(code)"
        }
    }
}
