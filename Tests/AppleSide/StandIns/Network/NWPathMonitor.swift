// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The names and their meanings are Apple's.

import AppleDevice
public import Dispatch
import Synchronization

public enum NWInterface {
    public enum InterfaceType: Sendable, Hashable {
        case other
        case wifi
        case cellular
        case wiredEthernet
        case loopback
    }
}

/// The path that the system would use for a connection.
public struct NWPath: Sendable, Equatable {
    public enum Status: Sendable, Hashable {
        case satisfied
        case unsatisfied
        /// There is no path yet, but a connection would establish one.
        case requiresConnection
    }

    public let status: Status
    private let uses: Set<NWInterface.InterfaceType>

    init(_ network: DeviceNetwork) {
        (status, uses) =
            switch network {
            case .none: (.unsatisfied, [])
            case .onDemand(let links): (.requiresConnection, Set(links.map(Self.type)))
            case .links(let links): (.satisfied, Set(links.map(Self.type)))
            }
    }

    /// Returns a Boolean value that indicates whether a connection would use an interface of this kind.
    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool { uses.contains(type) }

    private static func type(_ link: DeviceNetwork.Link) -> NWInterface.InterfaceType {
        switch link {
        case .cable: .wiredEthernet
        case .wifi: .wifi
        case .cellular: .cellular
        case .tunnel: .other
        }
    }
}

/// An observer of the device's network.
///
/// Source of all rules: developer.apple.com/documentation/network/nwpathmonitor and its members. The handler is called
/// on the queue, first with the path at the start and then with every change. A cancelled monitor calls nothing and
/// cannot be started again. The pages do not state whether a monitor without references continues until it is
/// cancelled. This one does, which is the stricter reading.
public final class NWPathMonitor: Sendable {
    private struct State {
        var handler: (@Sendable (NWPath) -> Void)?
        var number: Int?
        var isCancelled = false
    }

    private let state = Mutex(State())

    public init() {}

    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { state.withLock { $0.handler } }
        set { state.withLock { $0.handler = newValue } }
    }

    /// Begins the observation, which is possible only once.
    public func start(queue: DispatchQueue) {
        state.withLock { state in
            precondition(state.number == nil && !state.isCancelled, "Exception: a monitor is started once")
            let handler = state.handler
            state.number = AppleDevice.current.observeNetwork(on: queue) { handler?(NWPath($0)) }
        }
    }

    public func cancel() {
        state.withLock { state in
            state.isCancelled = true
            if let number = state.number { AppleDevice.current.endObservation(number) }
        }
    }
}
