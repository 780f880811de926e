// What an app needs to bring its own storage, transport or device to the facade, without another import.
@_exported import struct TVEDeviceBinding.AppIdentity
@_exported import struct TVEDeviceBinding.DeviceIdentity
@_exported import struct TVEFlowEngine.SessionClock
@_exported import struct TVEFlowEngine.SessionEnvironment
@_exported import protocol TVENetworking.HTTPTransport
@_exported import class TVENetworking.URLSessionTransport
@_exported import class TVEStorage.FileStorage
@_exported import class TVEStorage.MemoryStorage
@_exported import protocol TVEStorage.StorageBackend
