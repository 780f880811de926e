import Foundation

/// Exchanges in the HTTP Archive format 1.2, which browsers and proxies read.
struct HARFile: Encodable {
    private let log: Log

    init(_ exchanges: [SandboxExchange], host: String, _ masking: Masking) {
        log = Log(entries: exchanges.map { Entry($0, host, masking) })
    }

    private struct Log: Encodable {
        struct Creator: Encodable {
            var name = "TV Everywhere sandbox"
            var version = "1"
        }
        var version = "1.2"
        var creator = Creator()
        let entries: [Entry]
    }

    private struct Pair: Encodable {
        let name: String
        let value: String
    }

    private struct Entry: Encodable {
        struct Request: Encodable {
            let method: String
            let url: String
            var httpVersion = "HTTP/1.1"
            var cookies: [Pair] = []
            let headers: [Pair]
            let queryString: [Pair]
            let postData: Content?
            var headersSize = -1
            let bodySize: Int
        }
        struct Response: Encodable {
            let status: Int
            var statusText = ""
            var httpVersion = "HTTP/1.1"
            var cookies: [Pair] = []
            let headers: [Pair]
            let content: Content
            let redirectURL: String
            var headersSize = -1
            let bodySize: Int
        }
        struct Content: Encodable {
            let mimeType: String
            let text: String
            var size: Int?
        }
        struct Timings: Encodable {
            var send = 0.0
            let wait: Double
            var receive = 0.0
        }
        struct Cache: Encodable {}

        let startedDateTime: String
        let time: Double
        let request: Request
        let response: Response
        var cache = Cache()
        let timings: Timings
        let comment: String

        init(_ exchange: SandboxExchange, _ host: String, _ masking: Masking) {
            func headers(_ message: SandboxExchange.Message) -> [Pair] {
                message.headers.map { Pair(name: $0.name, value: masking.value($0.value, of: $0.name)) }
            }
            func content(_ message: SandboxExchange.Message) -> Content {
                let plain = String(decoding: message.body, as: UTF8.self)
                return Content(
                    mimeType: message.header("Content-Type") ?? "",
                    text: masking.shows ? plain : BodyText(message, masking).text, size: message.length)
            }
            startedDateTime = exchange.began.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            time = exchange.milliseconds
            let query = FormFields(exchange.query).fields
            let target = exchange.path + (exchange.query.isEmpty ? "" : "?\(exchange.query)")
            request = Request(
                method: exchange.method, url: "http://\(host)\(masking.text(target))",
                headers: headers(exchange.request),
                queryString: query.map { Pair(name: $0.name, value: masking.value($0.value, of: $0.name)) },
                postData: exchange.request.length == 0 ? nil : content(exchange.request),
                bodySize: exchange.request.length)
            response = Response(
                status: exchange.status, headers: headers(exchange.answer), content: content(exchange.answer),
                redirectURL: masking.text(exchange.answer.header("Location") ?? ""), bodySize: exchange.answer.length)
            timings = Timings(wait: exchange.milliseconds)
            comment = exchange.facts.title
        }
    }
}
