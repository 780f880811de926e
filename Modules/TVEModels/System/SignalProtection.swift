import Foundation

/// The protection of the process from SIGPIPE when a peer has hung up, which differs between systems.
package enum SignalProtection: Sendable, Equatable {
    /// The flag of each send on Linux.
    case flag(Int32)
    /// The option of a socket on Apple's systems, because not every version of them has the flag of Linux.
    case option(Int32)

    #if canImport(Darwin)
    package static let ofTheSystem = option(SO_NOSIGPIPE)
    #elseif TVE_SOCKET_OPTION
    // The number of `SO_NOSIGPIPE`, to which `.ci/apple/no-signal-flag` gives a meaning on Linux.
    package static let ofTheSystem = option(0x1022)
    #else
    package static let ofTheSystem = flag(Int32(MSG_NOSIGNAL))
    #endif

    /// The flags for a send.
    package var flags: Int32 {
        switch self {
        case .flag(let flag): flag
        case .option: 0
        }
    }

    /// Sets the option on a socket, if the system needs it.
    ///
    /// Sockets inherit the option from the listening socket that accepts them. Set it there: on Apple's systems, an
    /// accepted socket takes no option any more when its client has already closed the connection.
    package func protect(_ socket: Int32) {
        guard case .option(let option) = self else { return }
        var isOn: Int32 = 1
        // The system reads exactly this number.
        unsafe setsockopt(socket, SOL_SOCKET, option, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }
}
