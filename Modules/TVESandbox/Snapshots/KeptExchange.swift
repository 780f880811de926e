import FlyingFox
import Foundation
import TVEModels

/// An exchange with all that is recorded about it, as a snapshot has it.
struct KeptExchange: Codable {
    struct Message: Codable {
        struct Header: Codable { let name, value: String }

        let headers: [Header]
        let body: Data
        let length: Int

        init(_ message: SandboxExchange.Message) {
            headers = message.headers.map { Header(name: $0.name, value: $0.value) }
            (body, length) = (message.body, message.length)
        }
    }

    let id, status: Int
    let began: Date
    let milliseconds: Double
    let method, path, query, address: String
    let request, answer: Message
    let faults: [SandboxWorld.Fault.Kind]
    let dialect, step, title: String
    let device: String?
    let requestor: RequestorID?
    let flow: Int?

    init(_ exchange: SandboxExchange) {
        (id, status, began, milliseconds) = (exchange.id, exchange.status, exchange.began, exchange.milliseconds)
        (method, path, query, address) = (exchange.method, exchange.path, exchange.query, exchange.address)
        (request, answer) = (Message(exchange.request), Message(exchange.answer))
        faults = exchange.faults
        let facts = exchange.facts
        (dialect, step, title, device) = (facts.dialect, facts.step, facts.title, facts.device)
        (requestor, flow) = (facts.requestor, facts.flow)
    }
}

extension SandboxExchange {
    /// The exchange of a snapshot; nothing of it is in flight.
    init(_ kept: KeptExchange) {
        id = kept.id
        began = kept.began
        milliseconds = kept.milliseconds
        isSent = true
        (method, query, address) = (kept.method, kept.query, kept.address)
        // Before requests without a slash were refused, they were recorded.
        path = kept.path.hasBytePrefix("/") ? kept.path : "/" + kept.path
        (request, answer) = (Message(kept.request), Message(kept.answer))
        status = kept.status
        faults = kept.faults
        facts.dialect = kept.dialect
        facts.step = kept.step
        facts.title = kept.title
        facts.device = kept.device
        facts.requestor = kept.requestor
        facts.flow = kept.flow
    }
}

extension SandboxExchange.Message {
    fileprivate init(_ kept: KeptExchange.Message) {
        var fields = HTTPHeaders()
        for header in kept.headers { fields.addValue(header.value, for: HTTPHeader(header.name)) }
        self.init(fields, kept.body, length: kept.length)
    }
}
