import FlyingFox
import Foundation
import TVEModels

/// An exchange with all its recorded data, in the form that a snapshot contains.
struct KeptExchange: Codable {
    struct Message: Codable {
        struct Header: Codable { let name, value: String }

        let headers: [Header]
        let body: Data
        let length: Int

        init(_ message: SandboxExchange.Message) {
            headers = message.headers.map { Header(name: $0.name, value: $0.value) }
            body = message.body
            length = message.length
        }
    }

    let id, status: Int
    /// Earlier versions did not record it.
    let lastArrival: Int?
    let began: Date
    /// Earlier versions did not record it.
    let machineTime: Date?
    let milliseconds: Double
    let method, path, query, address: String
    let request, answer: Message
    let faults: [SandboxWorld.Fault.Kind]
    /// Earlier versions did not record them.
    let wasHeld, wasAbandoned: Bool?
    let dialect, step, title: String
    let device: String?
    let requestor: RequestorID?
    let flow: Int?

    init(_ exchange: SandboxExchange) {
        id = exchange.id
        lastArrival = exchange.lastArrival
        status = exchange.status
        began = exchange.began
        machineTime = exchange.machineTime
        milliseconds = exchange.milliseconds
        method = exchange.method
        path = exchange.path
        query = exchange.query
        address = exchange.address
        request = Message(exchange.request)
        answer = Message(exchange.answer)
        faults = exchange.faults
        wasHeld = exchange.wasHeld
        wasAbandoned = exchange.wasAbandoned
        let facts = exchange.facts
        dialect = facts.dialect
        step = facts.step
        title = facts.title
        device = facts.device
        requestor = facts.requestor
        flow = facts.flow
    }
}

extension SandboxExchange {
    /// Creates the record of an exchange from a snapshot, in which every exchange has ended.
    init(_ kept: KeptExchange) {
        id = kept.id
        began = kept.began
        machineTime = kept.machineTime ?? kept.began
        milliseconds = kept.milliseconds
        isSent = true
        lastArrival = kept.lastArrival ?? kept.id
        method = kept.method
        query = kept.query
        address = kept.address
        // Earlier versions recorded requests whose path begins without a slash, which are refused now.
        path = kept.path.hasBytePrefix("/") ? kept.path : "/" + kept.path
        request = Message(kept.request)
        headBytes = RequestHead.length(kept.path + kept.query, request.fields)
        answer = Message(kept.answer)
        status = kept.status
        faults = kept.faults
        wasHeld = kept.wasHeld ?? false
        wasAbandoned = kept.wasAbandoned ?? false
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
