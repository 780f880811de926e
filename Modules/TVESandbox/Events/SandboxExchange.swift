import FlyingFox
public import Foundation
public import TVEModels

/// A request to a sandbox and its answer.
///
/// A printed exchange shows the method, the step and the status. It shows no headers and no bodies, which contain
/// tokens and passwords.
public struct SandboxExchange: Sendable, Redacting {
    /// The number of the exchange, counted from 1 in the order of arrival.
    public let id: Int
    /// The time at which the request was complete, by the sandbox's clock.
    public let began: Date
    /// The time at which the request was complete, by the clock of this machine, which a tester does not move.
    ///
    /// A client's pauses are measured by it, because a client knows only such a clock.
    package let machineTime: Date
    /// The time until the whole answer was sent, in milliseconds; the time so far while the exchange is in flight.
    public internal(set) var milliseconds: Double
    /// A Boolean value that indicates whether the whole answer was sent or the connection has ended.
    ///
    /// Until then the exchange is in flight.
    public internal(set) var isSent = false
    /// The number of the last request that had arrived when the whole answer was sent.
    ///
    /// Until then, it is the number of this exchange. No request up to that number could depend on the answer.
    var lastArrival: Int
    /// The HTTP method.
    public let method: String
    /// The path as the client sent it, still percent-encoded.
    public let path: String
    /// The text after the question mark, still percent-encoded.
    public let query: String
    /// The length of the request's head in bytes.
    let headBytes: Int
    /// The client's message.
    public let request: Message
    /// The HTTP status; 0 while there is no answer.
    public let status: Int
    /// The sandbox's message.
    public let answer: Message
    /// The client's IP address.
    public let address: String
    /// The simulated failures that have changed the exchange, each kind once.
    ///
    /// A failure that applied to the request without an effect on it is not among them.
    public let faults: [SandboxWorld.Fault.Kind]
    /// A Boolean value that indicates whether a tester has held the answer.
    package internal(set) var wasHeld = false
    /// A Boolean value that indicates whether the client had closed its side of the connection, or the sandbox had
    /// stopped, before the client had the whole answer.
    package internal(set) var wasAbandoned = false
    /// Facts about the request that the sandbox has derived from it and from earlier requests.
    public internal(set) var facts = Facts()

    /// Creates the record of a request, with its answer if there is one already.
    ///
    /// The length is that of the whole body, if the given one is only a part of it.
    init(
        id: Int, _ head: RequestHead, body: Data, length: Int = 0, timer: ExchangeTimer, reply: SandboxReply?,
        faults: [SandboxWorld.Fault.Kind] = [], step: ServiceStep? = nil
    ) {
        self.id = id
        lastArrival = id
        began = timer.began
        machineTime = timer.machineTime
        milliseconds = timer.milliseconds
        method = head.method
        path = head.path
        query = head.query
        headBytes = head.length
        request = Message(head.headers, body, length: length)
        status = reply?.response.statusCode.code ?? 0
        answer = Message(reply?.response.headers ?? [:], reply?.body ?? Data())
        address = head.peer
        self.faults = faults
        if let step { facts.step = step.id }
    }

    /// The headers and the body of one direction.
    public struct Message: Sendable {
        let fields: HTTPHeaders
        /// The body, or its first 64 KB; empty for a body that was refused for its length.
        public let body: Data
        /// The length of the whole body in bytes, or -1 if it is unknown.
        public let length: Int

        /// A Boolean value that indicates whether the whole body is stored.
        package var isWhole: Bool { body.count == length }

        /// The headers, sorted by name.
        public var headers: [(name: String, value: String)] {
            fields.map { ($0.key.rawValue, $0.value) }.sorted { $0 < $1 }
        }

        /// Returns the value of a header.
        ///
        /// - Parameter name: the name of the header, in any case.
        /// - Returns: the value; `nil` when the message does not have the header.
        public func header(_ name: String) -> String? { fields[HTTPHeader(name)] }

        /// The largest number of bytes of a body that are stored.
        static let maximumBytes = 64 << 10

        /// Creates a message from its headers and its body, which is shortened to ``maximumBytes``.
        ///
        /// - Parameters:
        ///   - fields: the headers.
        ///   - body: the body.
        ///   - length: the length of the whole body in bytes, when the given body was shortened already, or -1 if it is
        ///     unknown.
        init(_ fields: HTTPHeaders, _ body: Data, length: Int = 0) {
            self.fields = fields
            // A slice would keep the whole body in memory.
            self.body = body.count > Self.maximumBytes ? Data(Array(body.prefix(Self.maximumBytes))) : body
            self.length = length < 0 ? length : max(length, body.count)
        }
    }

    /// Facts that come from a request and from earlier requests.
    public struct Facts: Sendable, Hashable {
        /// The dialect: `classic`, `restV2`, `platform` for steps that both dialects share, `pages` for pages that a
        /// browser opens, or `sandbox`.
        public var dialect = "sandbox"
        /// The name of the step that faults use.
        public var step = "other"
        /// The name of the step in the documents.
        public var title = ""
        /// The id of the device that has sent the request.
        public var device: String?
        /// The requestor of the request.
        public var requestor: RequestorID?
        /// The number of the exchange's flow.
        ///
        /// Each application on a device has one flow.
        public var flow: Int?
    }

    /// A Boolean value that indicates whether a simulated failure, the client or the end of the sandbox has ended the
    /// connection before the client had the whole answer.
    package var isAnswerLost: Bool { wasAbandoned || isCut }

    /// A Boolean value that indicates whether a simulated failure has ended the connection.
    var isCut: Bool { faults.contains(.dropped) || faults.contains(.cutBody) }

    /// The status and the message that the client has received: 0 and an empty message for a lost answer.
    package var received: (status: Int, answer: Message) {
        isAnswerLost ? (0, Message([:], Data())) : (status, answer)
    }

    /// A sentence for the developer of the client that explains why the request was refused; `nil` when it was not.
    public var objection: String? { answer.header(Objection.header) }

    /// The number, the method, the step and the status of the exchange.
    public var redactedDescription: String { "exchange \(id): \(method) \(step.title), \(status)" }

    /// The client's message with its method and its path.
    var recorded: RecordedRequest { RecordedRequest(method: method, path: path, query: query, message: request) }

    var step: ServiceStep { recorded.step }

    /// The decoded segments of the path, without the version segment that old clients send.
    var segments: [String] { recorded.segments }

    /// The fields of the body; empty when it is no form.
    var form: FormFields { recorded.form }
}

extension SandboxExchange: Encodable {
    private enum CodingKeys: String, CodingKey {
        case id, began, milliseconds, method, path, status, dialect, step, title, device, requestor, flow, faults
        case requestBytes, answerBytes, objection, outcome, outcomeText, resources, provider, held
    }

    /// Encodes the exchange without headers, bodies and query, which contain secrets.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: any error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(began.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)), forKey: .began)
        try values.encode((milliseconds * 1_000).rounded() / 1_000, forKey: .milliseconds)
        try values.encode(method, forKey: .method)
        try values.encode(path, forKey: .path)
        try values.encode(status, forKey: .status)
        try values.encode(facts.dialect, forKey: .dialect)
        try values.encode(facts.step, forKey: .step)
        try values.encode(facts.title, forKey: .title)
        try values.encodeIfPresent(facts.device, forKey: .device)
        try values.encodeIfPresent(facts.requestor, forKey: .requestor)
        try values.encodeIfPresent(facts.flow, forKey: .flow)
        try values.encodeIfPresent(objection, forKey: .objection)
        let outcome = outcome
        try values.encode(outcome.kind.rawValue, forKey: .outcome)
        if !outcome.text.isEmpty { try values.encode(outcome.text, forKey: .outcomeText) }
        if !outcome.resources.isEmpty { try values.encode(outcome.resources, forKey: .resources) }
        try values.encodeIfPresent(outcome.provider, forKey: .provider)
        if !faults.isEmpty { try values.encode(faults, forKey: .faults) }
        if wasHeld { try values.encode(wasHeld, forKey: .held) }
        try values.encode(request.length, forKey: .requestBytes)
        try values.encode(answer.length, forKey: .answerBytes)
    }
}

/// An event of a sandbox.
public enum SandboxEvent: Sendable {
    /// A request has arrived; it has no answer yet.
    case arrived(SandboxExchange)
    /// An exchange has ended: its whole answer was sent, or its client has gone.
    case exchange(SandboxExchange)
    /// The world, the faults or the logins have changed.
    ///
    /// The text is a sentence about the change, without any names.
    case change(String)
}

/// The beginning of an exchange, by the sandbox's clock, by that of this machine, and by a clock that does not jump.
struct ExchangeTimer: Sendable {
    let began: Date
    let machineTime: Date
    private let start = ContinuousClock.now

    init(_ clock: ServiceClock) {
        let reading = clock.reading
        began = reading.now
        machineTime = reading.source
    }

    var milliseconds: Double { (ContinuousClock.now - start) / .milliseconds(1) }
}
