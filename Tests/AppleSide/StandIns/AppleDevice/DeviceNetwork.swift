// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Dispatch

public enum DeviceNetwork: Sendable, Hashable {
    public enum Link: Sendable, Hashable {
        case cable
        case wifi
        case cellular
        /// A virtual interface, for example that of a VPN.
        case tunnel
    }

    case none
    /// A network that is established when it is needed.
    case onDemand([Link])
    /// A network over these interfaces.
    case links([Link])
}

/// An observer that is notified of changes to the network.
struct NetworkObserver: Sendable {
    let queue: DispatchQueue
    let tell: @Sendable (DeviceNetwork) -> Void
}

extension AppleDevice {
    /// Changes the network, and returns when every observer was notified.
    public func connect(_ network: DeviceNetwork) {
        let observers = with { state in
            state.network = network
            return state.networkObservers
        }
        for observer in observers.values { observer.queue.sync { observer.tell(network) } }
    }

    /// Notifies an observer of the network now and after every change.
    ///
    /// - Parameters:
    ///   - queue: the queue on which the observer is notified.
    ///   - tell: the observer, which is notified for the first time a moment after this call.
    /// - Returns: the number of the observation.
    public func observeNetwork(on queue: DispatchQueue, _ tell: @escaping @Sendable (DeviceNetwork) -> Void) -> Int {
        let (number, network) = with { state in
            state.networkObservations += 1
            state.networkObservers[state.networkObservations] = NetworkObserver(queue: queue, tell: tell)
            return (state.networkObservations, state.network)
        }
        queue.async { tell(network) }
        return number
    }

    public func endObservation(_ number: Int) { with { $0.networkObservers[number] = nil } }

    /// The number of observers of the network.
    public var networkObserverCount: Int { with { $0.networkObservers.count } }
}
