import Foundation

/// The protection of the process from SIGPIPE when a client has hung up, which differs between systems.
enum SignalProtection: Sendable, Equatable {
    /// The flag of each send on Linux.
    case flag(Int32)
    /// The option of each accepted socket on Apple's systems, which have no such flag.
    case option(Int32)

    #if canImport(Darwin)
    static let ofTheSystem = option(SO_NOSIGPIPE)
    #else
    static let ofTheSystem = flag(Int32(MSG_NOSIGNAL))
    #endif

    /// The flags for a send.
    var flags: Int32 {
        switch self {
        case .flag(let flag): flag
        case .option: 0
        }
    }

    /// Sets the option on an accepted socket, if the system needs it.
    func protect(_ socket: Int32) {
        guard case .option(let option) = self else { return }
        var isOn: Int32 = 1
        unsafe setsockopt(socket, SOL_SOCKET, option, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }
}
