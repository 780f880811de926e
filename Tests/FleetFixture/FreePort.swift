#if VerificationService
import Foundation

/// A loopback port on which no program listens.
public func freePort() throws -> Int {
    #if canImport(Glibc)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let found = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
        }
    }
    guard found else { throw FixtureError("there is no free port") }
    return Int(UInt16(bigEndian: address.sin_port))
}

/// An error of a fixture.
public struct FixtureError: Error, CustomStringConvertible {
    /// The message.
    public let description: String

    /// Makes an error.
    public init(_ description: String) {
        self.description = description
    }
}
#endif
