#if AsyncHTTPTransport
import Foundation
import HTTPTypes
import HTTPTypesFoundation
import TVEAsyncHTTPTransport
import TVENetworking
@testable import TVETestSupport
import TestTraits
import Testing

struct AsyncHTTPTransportTests {
    @Test(.timeLimit(.hanging)) func keepsTheContract() async throws {
        let violations = try await HTTPTransportConformance.violations {
            AsyncHTTPTransport(timeout: $0, maximumBytes: $1)
        }
        #expect(violations == [])
    }

    /// What ends the program with Foundation's client on Linux.
    @Test(
        .timeLimit(.hanging),
        arguments: [
            "", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 302 Found\r\nLocation: /x\r\n",
            "SSH-2.0-OpenSSH_9.6\r\n\r\n", "HTTP/1.1 999999 What\r\n\r\n",
        ])
    func anAnswerThatIsCut_orIsNone_isAnError(text: String) async throws {
        let server = try LoopbackServer { _, socket in _ = LoopbackServer.send(text, socket) }
        let url = try #require(URL(string: server.url("/")))
        await #expect(throws: TransportError.self) {
            try await AsyncHTTPTransport(timeout: .hanging).send(HTTPRequest(method: .get, url: url), body: nil)
        }
    }

    @Test func printsNothingOfWhatItSends() {
        #expect("\(AsyncHTTPTransport())" == "AsyncHTTPTransport")
    }
}
#endif
