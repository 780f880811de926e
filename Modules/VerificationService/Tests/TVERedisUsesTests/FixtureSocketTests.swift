import Foundation
import Testing

@testable import TVEFleetFixture

/// Sockets of tests, which run beside others that start programs.
struct FixtureSocketTests {
    private static func closesAtAStart(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0 }

    /// A program that kept the socket would keep the connection open after its end.
    @Test func noProgram_keepsTheSocketOfATest() throws {
        let port = try LoopbackPort()
        try port.listen()
        let client = try RawSocket(port: port.number)
        #expect(Self.closesAtAStart(port.descriptor) && Self.closesAtAStart(client.descriptor))
        // Any other descriptor is passed on.
        let other = dup(client.descriptor)
        #expect(other >= 0 && !Self.closesAtAStart(other))
        close(other)
    }
}
