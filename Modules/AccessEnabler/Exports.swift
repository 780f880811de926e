// These exports are Foundation and UIKit, which the original's header imported, and the types that an app needs to
// supply its own storage, clock or device without another import. A custom transport uses the types of HTTPTypes and
// must import that module as well.
@_exported import Foundation

@_exported import struct TVEDeviceBinding.AppIdentity
@_exported import struct TVEDeviceBinding.DeviceIdentity
@_exported import struct TVEFlowEngine.BrowserPage
@_exported import class TVEFlowEngine.Household
@_exported import enum TVEFlowEngine.HouseholdMembership
@_exported import struct TVEFlowEngine.Housekeeping
@_exported import enum TVEFlowEngine.LoginStyle
@_exported import protocol TVEFlowEngine.PlatformSignOn
@_exported import struct TVEFlowEngine.SessionClock
@_exported import struct TVEFlowEngine.SessionEnvironment
@_exported import struct TVENetworking.DeviceInformation
@_exported import protocol TVENetworking.HTTPTransport
@_exported import struct TVENetworking.HouseholdDevice
@_exported import struct TVENetworking.LinkCode
@_exported import enum TVENetworking.ServiceDialect
@_exported import enum TVENetworking.TransportError
@_exported import class TVENetworking.URLSessionTransport
@_exported import class TVEStorage.FileStorage
@_exported import enum TVEStorage.LegacyLayout
@_exported import struct TVEStorage.LegacyStore
@_exported import class TVEStorage.MemoryStorage
@_exported import class TVEStorage.PasteboardStorage
@_exported import class TVEStorage.SealedStorage
@_exported import struct TVEStorage.SealingKey
@_exported import protocol TVEStorage.StorageBackend
@_exported import enum TVEStorage.StorageChange
@_exported import enum TVEStorage.StorageError
@_exported import struct TVEStorage.StorageKey
@_exported import class TVEStorage.UserDefaultsStorage

#if canImport(Security)
@_exported import class TVEStorage.KeychainStorage
#endif

#if canImport(UIKit)
@_exported import UIKit
#endif
