@_spi(VerificationService) import TVEModels

/// The reason for which the service does not start, or has ended, apart from its configuration and Redis.
enum StartFailure: Error, Sendable, Hashable {
    /// Neither the command line nor the environment names a configuration.
    case noConfiguration
    /// The host of the address has no entry in the name service.
    case unknownHost(ListenAddress)
    /// Another program listens on the address.
    case addressInUse(ListenAddress)
    /// No network interface of this machine has the address.
    case foreignAddress(ListenAddress)
    /// Only a more privileged user may listen on the port.
    case portNotAllowed(ListenAddress)
    /// The system refuses the address for another reason.
    case cannotListen(ListenAddress, errno: Int32)
    /// Something of the service has failed; the value is the error of the library that reported it.
    case ended(String)
}

extension StartFailure: CustomStringConvertible {
    /// A sentence about what was found, and one about what to do.
    var description: String {
        switch self {
        case .noConfiguration: "No configuration is named. Name its file with --config FILE or TVE_VERIFIER_CONFIG."
        case .unknownHost(let address):
            "\(address) cannot be used: the host is unknown. Correct its name, or check the network's DNS."
        case .addressInUse(let address):
            "\(address) is in use by another program. End that program, or choose another port."
        case .foreignAddress(let address):
            "\(address) is not an address of this machine. Choose one that it has, or 0.0.0.0 for all of them."
        case .portNotAllowed(let address):
            "\(address) cannot be used: this user may not listen on this port. "
                + "Choose a port from 1024 on, or give this user the right to use it."
        case .cannotListen(let address, let number):
            "\(address) cannot be used: \(ServiceSupport.message(number)). Choose another address or port."
        case .ended(let reason):
            "The service has failed: \(reason)\(reason.utf8.last == UInt8(ascii: ".") ? "" : ".") "
                + "Check its files with --check-config, and read what the log says before this line."
        }
    }
}
