// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Dispatch

public enum DeviceNetwork: Sendable, Hashable {
    public enum Link: Sendable, Hashable {
        case cable
        case wifi
        case cellular
        /// A virtual one, a VPN for example.
        case tunnel
    }

    case none
    /// One that begins when it is needed.
    case onDemand([Link])
    /// One over these interfaces.
    case links([Link])
}

/// Someone who is told about the network.
struct NetworkObserver: Sendable {
    let queue: DispatchQueue
    let tell: @Sendable (DeviceNetwork) -> Void
}

extension AppleDevice {
    /// Changes the network, and returns when every observer knows it.
    public func connect(_ network: DeviceNetwork) {
        let observers = with { state in
            state.network = network
            return state.networkObservers
        }
        for observer in observers.values { observer.queue.sync { observer.tell(network) } }
    }

    /// Tells an observer, on its queue, a moment later and after every change.
    ///
    /// - Returns: the observation's number.
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

    /// How many observe the network.
    public var networkObserverCount: Int { with { $0.networkObservers.count } }
}
