#if canImport(Network)
import Dispatch
import Network
import TVEModels
import TVENetworking

/// Knows how the device is connected to the network.
final class ConnectionMonitor: Sendable {
    private let monitor = NWPathMonitor()
    private let known = Guarded<DeviceInformation.Connection?>(nil)

    /// The connection now; nil before the system has told, without a network, and for a kind that has no name.
    var connection: DeviceInformation.Connection? { known.withLock(\.self) }

    /// Begins to listen to the system.
    init() {
        monitor.pathUpdateHandler = { [known] path in
            let connection = path.status == .satisfied ? Self.connection(path.usesInterfaceType) : nil
            known.withLock { $0 = connection }
        }
        monitor.start(queue: DispatchQueue(label: "swift-access-enabler.connection"))
    }

    deinit {
        monitor.cancel()
    }

    /// The connection of a path; with several, the one that the system prefers.
    private static func connection(_ uses: (NWInterface.InterfaceType) -> Bool) -> DeviceInformation.Connection? {
        if uses(.wiredEthernet) { return .lan }
        if uses(.wifi) { return .wifi }
        return uses(.cellular) ? .cellular : nil
    }
}
#endif
