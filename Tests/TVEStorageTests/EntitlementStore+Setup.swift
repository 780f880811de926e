import Foundation
import TVEModels
import TVEStorage

/// Single changes, for tests that set a store up.
extension EntitlementStore {
    func save(_ token: AuthenticationToken, metadata: UserMetadata?, canAuthenticate: Bool = true) throws {
        try change { entitlements throws(StorageError) in
            try entitlements.save(token, metadata: metadata, canAuthenticate: canAuthenticate)
        }
    }

    func save(_ token: AuthorizationToken, mvpdID: String, metadata: UserMetadata?) throws {
        try change { entitlements throws(StorageError) in
            try entitlements.save(token, mvpdID: mvpdID, metadata: metadata)
        }
    }

    func setCurrentProvider(_ mvpdID: String?, of requestorID: String) throws {
        try change { entitlements throws(StorageError) in
            try entitlements.setCurrentProvider(mvpdID, of: requestorID)
        }
    }

    func removeAllEntitlements() throws {
        try change { entitlements throws(StorageError) in try entitlements.removeAllEntitlements() }
    }

    func removeEntitlements(of requestorID: String) throws {
        try change { entitlements throws(StorageError) in try entitlements.removeEntitlements(of: requestorID) }
    }

    func clearCanAuthenticate(requestorID: String, mvpdID: String) throws {
        try change { entitlements throws(StorageError) in
            try entitlements.clearCanAuthenticate(requestorID: requestorID, mvpdID: mvpdID)
        }
    }

    func save(_ decisions: [PreauthorizationDecision], requestorID: String, mvpdID: String) throws {
        try change { entitlements throws(StorageError) in
            try entitlements.save(decisions, requestorID: requestorID, mvpdID: mvpdID)
        }
    }
}
