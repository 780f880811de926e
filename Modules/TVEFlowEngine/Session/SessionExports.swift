// These exports let an app create a session, call it and read its answers without another import. A custom transport
// uses the types of HTTPTypes and imports that module as well.
@_exported import Foundation
@_exported import TVEModels

@_exported import struct TVEDeviceBinding.AppIdentity
@_exported import struct TVEDeviceBinding.DeviceIdentity
@_exported import struct TVENetworking.ClientOptions
@_exported import struct TVENetworking.DeviceInformation
@_exported import protocol TVENetworking.HTTPTransport
@_exported import enum TVENetworking.ServiceDialect
@_exported import enum TVENetworking.ServiceEnvironment
@_exported import struct TVENetworking.ServiceProvider
@_exported import enum TVENetworking.TransportError
@_exported import class TVENetworking.URLSessionTransport
@_exported import class TVEStorage.FileStorage
@_exported import enum TVEStorage.ForeignTokenPolicy
@_exported import enum TVEStorage.IntegrityMode
@_exported import struct TVEStorage.IntegrityReport
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
@_exported import struct TVETracking.CallReport
@_exported import struct TVETracking.TrackedClient
@_exported import enum TVETracking.TrackingEvent
@_exported import protocol TVETracking.TrackingSink

#if canImport(Security)
@_exported import class TVEStorage.KeychainStorage
#endif
