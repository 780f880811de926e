import Foundation
import HTTPTypes
import Harness
import TVENetworking
import XCTest

/// The time to parse a configuration of REST API v2, compared with Foundation's decoder and plain types.
final class RESTv2ConfigurationBenchmarks: XCTestCase {
    /// The document in types with synthesized decoding: nothing is lenient, nothing is translated.
    private struct Plain: Decodable {
        struct Requestor: Decodable {
            struct Domain: Decodable {
                let name: String
                let mvpdInitiated: Bool
            }

            let id: String
            let name: String
            let domains: [Domain]
            let mvpds: [Provider]
        }

        struct Provider: Decodable {
            let id: String
            let displayName: String?
            let logoUrl: String?
            let isTempPass: Bool?
            let isProxy: Bool?
            let authPerAggregator: Bool?
            let authPerBrowserSession: Bool?
            let passiveAuthnEnabled: Bool?
            let boardingStatus: String?
            let platformMappingId: String?
            let enablePlatformServices: Bool?
            let displayInPlatformPicker: Bool?
            let enforcePlatformPermissions: Bool?
        }

        let device: String?
        let clientType: String?
        let os: String?
        let requestor: Requestor
    }

    /// Answers from memory.
    private struct Memory: HTTPTransport {
        let body: Data

        func send(_ request: HTTPRequest, body _: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
            (HTTPResponse(status: .ok), body)
        }
    }

    private static func text(_ count: Int) -> String {
        let providers = (0..<count).map { number in
            let platform =
                number % 4 == 0
                ? ",\"enablePlatformServices\":true,\"boardingStatus\":\"SUPPORTED\",\"displayInPlatformPicker\":true,\"platformMappingId\":\"p\(number)\""
                : ""
            return
                "{\"id\":\"mvpd-\(number)\",\"displayName\":\"Provider \(number)\",\"logoUrl\":\"https://logos.example/\(number).png\",\"authPerAggregator\":\(number % 2 == 0)\(platform)}"
        }
        return
            "{\"device\":\"unknown\",\"clientType\":\"html5\",\"os\":\"Unknown\",\"requestor\":{\"id\":\"DEMO\",\"name\":\"Demo\",\"domains\":[{\"name\":\"d.example\",\"mvpdInitiated\":false}],\"mvpds\":[\(providers.joined(separator: ","))]}}"
    }

    func testReads1000Providers_againstFoundation() throws {
        let body = Data(Self.text(1_000).utf8)
        let provider = try ServiceProvider("http://127.0.0.1")
        let registered = RegisteredApplication(
            clientID: "i", clientSecret: "s", accessToken: AccessToken(value: "t", expires: .distantFuture))
        let registration = ApplicationRegistration(
            softwareStatement: "s", provider: provider, transport: Memory(body: body),
            keeper: RegistrationKeeper(load: { registered }, save: { _ in }), now: { Date() })
        let client = ClientDescription(
            deviceID: "d", deviceInfo: DeviceInformation(model: "m"), clientType: "t", clientVersion: "1",
            redirectURL: try XCTUnwrap(URL(string: "adobepass://ios.app")))
        let service = RESTv2Service(
            provider: provider, client: client, fingerprint: "f", registration: registration,
            transport: Memory(body: body), now: { Date() }, sleep: { _ in })
        var contest = Contest("REST API v2 configuration of 1,000 providers") { count in
            let done = DispatchSemaphore(value: 0)
            Task.detached {
                for _ in 0..<count {
                    let read = try await service.configuration(of: "DEMO")
                    XCTAssertEqual(read.requestor.providers.count, 1_000)
                }
                done.signal()
            }
            done.wait()
        }
        contest.peer("Foundation's JSONDecoder") { count in
            for _ in 0..<count {
                XCTAssertEqual(try? JSONDecoder().decode(Plain.self, from: body).requestor.mvpds.count, 1_000)
            }
        }
        let ratio = try XCTUnwrap(contest.compare()["Foundation's JSONDecoder"])
        // Depth and size are checked before the document is decoded, which costs a few hundredths at most.
        XCTAssertLessThanOrEqual(ratio, 1.25)
    }
}
