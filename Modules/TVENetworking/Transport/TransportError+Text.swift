extension TransportError: CustomStringConvertible {
    /// A sentence about what was found, and one about what to do.
    public var description: String {
        switch self {
        case .unreachable:
            "No connection was made: there is no network, or the connection was refused or cut. "
                + "Check the network and the address of the service."
        case .unknownHost: "The name of the host is unknown. Check the address of the service and the network's DNS."
        case .proxyFailed:
            "The address of a proxy is malformed or its host unknown, or the proxy refused the request. "
                + "Check the address of the proxy, and whether it requires a login."
        case .timedOut: "There was no complete answer in time. Try again later."
        case .notTrusted:
            "The certificate or the TLS connection of the server cannot be trusted. "
                + "Check the clock of this device, and whether the network intercepts TLS."
        case .certificateNotTrusted(let fault): fault.text
        case .answerTooLarge(let limit):
            "The answer is longer than \(limit) bytes. "
                + "Check the address of the service, or raise the transport's limit."
        case .invalid:
            "The request could not be sent, or the answer is not valid HTTP, or it is compressed although the request "
                + "did not allow that. Check the address of the service, and any proxy in front of it."
        case .cancelled: "The request was cancelled. Send it again if its answer is still needed."
        case .other(let code): "The connection failed with the system error \(code). Try again later."
        }
    }
}

extension TransportError.CertificateFault {
    fileprivate var text: String {
        switch self {
        case .unknownAuthority:
            "No authority that this device trusts has signed the server's certificate. "
                + "Check whether the network intercepts TLS, or ask the operator of the service for a certificate of a "
                + "trusted authority."
        case .wrongName:
            "The server's certificate is for another host. "
                + "Check the address of the service, and whether the network requires a login first."
        case .expired:
            "The server's certificate has expired. "
                + "Check the clock of this device, or ask the operator of the service to renew it."
        case .notYetValid: "The server's certificate is not valid yet. Check the clock of this device."
        }
    }
}
