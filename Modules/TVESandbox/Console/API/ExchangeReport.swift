import Foundation

/// One exchange with its messages, for programs.
struct ExchangeReport: Encodable {
    private struct Field: Encodable {
        let name: String
        let value: String
    }

    private struct Message: Encodable {
        let headers: [Field]
        let kind: String
        let body: String
        let length: Int

        init(_ message: SandboxExchange.Message, _ masking: Masking) {
            headers = message.headers.map { Field(name: $0.name, value: masking.value($0.value, of: $0.name)) }
            let text = BodyText(message, masking)
            (kind, body, length) = (text.kind, text.text, message.length)
        }
    }

    private let exchange: SandboxExchange
    private let request: Message
    private let answer: Message

    init(_ exchange: SandboxExchange, _ masking: Masking) {
        self.exchange = exchange
        request = Message(exchange.request, masking)
        answer = Message(exchange.answer, masking)
    }
}
