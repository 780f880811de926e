import Foundation

/// Keeps SIGPIPE from ending the process when a client has hung up: every system has another way.
enum SignalProtection: Sendable, Equatable {
    /// A flag of each send: Linux.
    case flag(Int32)
    /// An option of each accepted socket: Apple's systems, which know no such flag.
    case option(Int32)

    #if canImport(Darwin)
    static let ofTheSystem = option(SO_NOSIGPIPE)
    #else
    static let ofTheSystem = flag(Int32(MSG_NOSIGNAL))
    #endif

    /// The flags of a send.
    var flags: Int32 {
        switch self {
        case .flag(let flag): flag
        case .option: 0
        }
    }

    /// Prepares a socket that was accepted.
    func protect(_ socket: Int32) {
        guard case .option(let option) = self else { return }
        var isOn: Int32 = 1
        unsafe setsockopt(socket, SOL_SOCKET, option, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }
}
