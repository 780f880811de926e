import TVENetworking
import Testing

@testable import tve

/// Tests of the circumstances that explain why a service does not answer.
struct ServiceHintTests {
    /// Foundation on Linux sends no request to such an address.
    @Test(arguments: ["http://[::1]:8080", "https://[2001:db8::1]"])
    func anAddressOfIPv6_isNamed_whereNothingWasSent(address: String) throws {
        let provider = try ServiceProvider(address, allowsHTTP: true)
        // Another transport sends a request there, and has received an answer that cannot be read.
        let isNamed = ToolTransport.isFoundationOfLinux
        #expect((ServiceHint(provider, .invalid, proxies: nil) == .addressOfIPv6) == isNamed)
        #expect(ServiceHint(provider, .unreachable, proxies: nil) != .addressOfIPv6)
        let fault = SandboxAbsence.noAnswer(.invalid).fault(at: provider)
        #expect(fault.description.contains("in place of its IPv6 address") == isNamed, "\(fault)")
    }

    @Test func aNameOfAHost_isNoAddressOfIPv6() throws {
        let provider = try ServiceProvider("http://localhost:8080")
        #expect(ServiceHint(provider, .invalid, proxies: nil) == nil)
        let fault = SandboxAbsence.noAnswer(.invalid).fault(at: provider)
        // A proxy of this machine may have answered, in a form that is not read.
        let beginning = "http://localhost:8080 gives no usable answer: the request could not be sent"
        #expect(fault.description.hasPrefix(beginning), "\(fault)")
    }

    /// The sandbox listens on port 8080 unless another one is named.
    @Test(arguments: [
        ("http://localhost:8080", "\"tve sandbox\""), ("http://127.0.0.1:9000", "\"tve sandbox --port 9000\""),
        ("http://127.0.0.1", "\"tve sandbox --port 80\""),
    ])
    func theCommandOfASandbox_namesItsPort(address: String, command: String) throws {
        let provider = try ServiceProvider(address)
        let hint = try #require(ServiceHint(provider, .unreachable, proxies: nil))
        #expect(hint.sentence == "\(command) starts a service here.")
        let fault = SandboxAbsence.noAnswer(.unreachable).fault(at: provider)
        #expect(fault.sentences.advice.hasPrefix("Start one with \(command), or pass "), "\(fault)")
    }

    @Test(arguments: [
        (TransportError.unreachable, "http://localhost:8080"), (.timedOut, "http://localhost:8080"),
        (.invalid, "https://localhost:8080"), (.unreachable, "https://localhost:8080"),
    ])
    func aMissingSandbox_isNamed_whereNothingElseExplainsIt(error: TransportError, address: String) throws {
        let fault = SandboxAbsence.noAnswer(error).fault(at: try ServiceProvider(address))
        #expect(fault.description.hasPrefix("No sandbox answers at \(address). "), "\(fault)")
    }
}
