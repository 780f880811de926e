#if canImport(Network)
import Dispatch
import Network
import TVEModels

/// An observer of the kind of network connection that the device has.
final class ConnectionMonitor: Sendable {
    private let monitor = NWPathMonitor()
    private let known = Guarded<DeviceInformation.Connection?>(nil)

    /// The kind of the current connection.
    ///
    /// The value is `nil` before the system's first report, without a network, and for a kind of connection that has no
    /// name.
    var connection: DeviceInformation.Connection? { known.withLock(\.self) }

    /// Starts observing the system's network path.
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

    /// Returns the kind of connection of a path.
    ///
    /// When a path may use interfaces of several kinds, Ethernet comes before Wi-Fi, and Wi-Fi before a mobile network.
    private static func connection(_ uses: (NWInterface.InterfaceType) -> Bool) -> DeviceInformation.Connection? {
        if uses(.wiredEthernet) { return .lan }
        if uses(.wifi) { return .wifi }
        return uses(.cellular) ? .cellular : nil
    }
}
#endif
