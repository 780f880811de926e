import FlyingFox
public import Foundation
public import TVEModels

/// One request to a sandbox, and its answer.
///
/// Printing it shows method, path and status, without headers and bodies, which contain tokens and passwords.
public struct SandboxExchange: Sendable, Redacting {
    /// Its number, counted from 1 in the order of arrival.
    public let id: Int
    /// When the request was complete, by the sandbox's clock.
    public let began: Date
    /// How long it took until the whole answer was sent, in milliseconds, or how long it has taken so far.
    public internal(set) var milliseconds: Double
    /// Whether the whole answer was sent, or the connection has ended; until then the exchange is in flight.
    public internal(set) var isSent = false
    /// The HTTP method.
    public let method: String
    /// The path as it was sent, still encoded.
    public let path: String
    /// The text after the question mark, still encoded.
    public let query: String
    /// The client's message.
    public let request: Message
    /// The HTTP status; 0 while there is no answer.
    public let status: Int
    /// The sandbox's message.
    public let answer: Message
    /// The client's IP address.
    public let address: String
    /// The simulated failures.
    public let faults: [SandboxWorld.Fault.Kind]
    /// Further facts that the sandbox knows about it.
    public internal(set) var facts = Facts()

    /// Describes a request, and its answer if there is one already.
    init(
        id: Int, _ timer: ExchangeTimer, _ head: RequestHead, _ body: Data, reply: SandboxReply?,
        faults: [SandboxWorld.Fault] = [], step: ServiceStep? = nil
    ) {
        self.id = id
        began = timer.began
        milliseconds = timer.milliseconds
        method = head.method
        path = head.path
        query = head.query
        request = Message(head.headers, body)
        status = reply?.response.statusCode.code ?? 0
        answer = Message(reply?.response.headers ?? [:], reply?.body ?? Data())
        address = head.peer
        self.faults = faults.map(\.kind)
        if let step { facts.step = step.id }
    }

    /// Headers and body of one direction.
    public struct Message: Sendable {
        let fields: HTTPHeaders
        /// The body, or its first 64 KB.
        public let body: Data
        /// The length of the whole body in bytes.
        public let length: Int

        /// The headers, sorted by name.
        public var headers: [(name: String, value: String)] {
            fields.map { ($0.key.rawValue, $0.value) }.sorted { $0 < $1 }
        }

        /// A header's value by its name, in any case.
        public func header(_ name: String) -> String? { fields[HTTPHeader(name)] }

        /// How many bytes of a body are stored.
        static let maximumBytes = 64 << 10

        /// - Parameter length: the length of the whole body, when the given one was shortened already.
        init(_ fields: HTTPHeaders, _ body: Data, length: Int = 0) {
            self.fields = fields
            // A slice would keep the whole body in memory.
            self.body = body.count > Self.maximumBytes ? Data(Array(body.prefix(Self.maximumBytes))) : body
            self.length = max(length, body.count)
        }
    }

    /// Facts from a request and those before it.
    public struct Facts: Sendable, Hashable {
        /// The dialect: `classic`, `restV2`, `platform` for what both share, `pages` for what a browser opens, or
        /// `sandbox`.
        public var dialect = "sandbox"
        /// The name of the step, as faults use it.
        public var step = "other"
        /// The name of the step in the documents.
        public var title = ""
        /// The device that sent it, by its id.
        public var device: String?
        /// The requestor of the request.
        public var requestor: RequestorID?
        /// The flow of the exchange: one for each application on a device.
        public var flow: Int?
    }

    /// Why the request was refused, in a sentence for whoever develops the client; nil when it was not.
    public var objection: String? { answer.header(Objection.header) }

    /// Method, path and status.
    public var redactedDescription: String { "exchange \(id): \(method) \(step.title), \(status)" }

    var step: ServiceStep { ServiceStep.of(method, segments) }

    /// Decoded segments without the version segment of old clients.
    var segments: [String] { SandboxRequest.routed(path) }

    /// The fields of the body, if it is a form.
    var form: FormFields {
        guard request.header("Content-Type")?.hasBytePrefix("application/x-www-form-urlencoded") != false else {
            return FormFields("")
        }
        return FormFields(String(decoding: request.body, as: UTF8.self))
    }
}

extension SandboxExchange: Encodable {
    private enum CodingKeys: String, CodingKey {
        case id, began, milliseconds, method, path, status, dialect, step, title, device, requestor, flow, faults
        case requestBytes, answerBytes, objection, outcome, outcomeText, resources, provider
    }

    /// Encodes the exchange without headers, bodies and query, which contain secrets.
    ///
    /// - Parameter encoder: where to write to.
    /// - Throws: what the encoder throws.
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
        try values.encode(request.length, forKey: .requestBytes)
        try values.encode(answer.length, forKey: .answerBytes)
    }
}

/// An event of a sandbox.
public enum SandboxEvent: Sendable {
    /// A request has arrived; it has no answer yet.
    case arrived(SandboxExchange)
    /// A request was answered, and the whole answer was sent.
    case exchange(SandboxExchange)
    /// World, faults or logins were changed; with one sentence about it, without names.
    case change(String)
}

/// When an exchange began, by the sandbox's clock and by a clock that does not jump.
struct ExchangeTimer: Sendable {
    let began: Date
    private let start = ContinuousClock.now

    init(began: Date) {
        self.began = began
    }

    var milliseconds: Double { (ContinuousClock.now - start) / .milliseconds(1) }
}
