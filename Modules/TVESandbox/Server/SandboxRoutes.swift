import Crypto
import FlyingFox
package import Foundation
package import HTTPTypes
package import TVEModels

/// The state of a sandbox and the routes that answer requests, without a server.
///
/// Tests with long tables use this type. The behaviour of connections, such as an early end, needs ``Sandbox``.
package struct SandboxRoutes: Sendable {
    private let initialState: SandboxState
    package let current: CurrentWorld
    package let clock: ServiceClock
    package let holds = RequestHolds()
    package let log: ExchangeLog
    package let gate: LocalGate
    package let notes = Guarded(TesterNotes())
    /// The lock under which the parts of a snapshot are read or replaced, so that it has no parts of another one.
    let whole = Lock()
    /// The directory with the snapshots; `nil` for a sandbox that saves nothing.
    package let folder: SandboxFolder?
    private let pages: SandboxPages?

    /// Creates the routes of a sandbox.
    ///
    /// - Parameters:
    ///   - world: the requestors, providers and viewers.
    ///   - key: the key that signs the tokens.
    ///   - now: the service's clock.
    ///   - host: the IPv4 address on which the sandbox listens.
    ///   - pages: the pages for a browser on this machine; `nil` for none.
    ///   - keepsExchanges: a Boolean value that indicates whether exchanges are recorded; `false` only to measure the
    ///     cost of the log.
    ///   - folder: the directory with the sandbox's secret, its software statements and its snapshots; `nil` for none.
    /// - Throws: `SandboxWorldError` for an invalid world, and any error of the cryptographic library.
    package init(
        world: SandboxWorld, key: SandboxKey, now: @escaping @Sendable () -> Date, host: String = "127.0.0.1",
        pages: SandboxPages? = nil, keepsExchanges: Bool = true, folder: SandboxFolder? = nil
    ) throws {
        try world.validate()
        let statement = try folder?.statement ?? ClientRegistration.softwareStatement(key)
        let clock = ServiceClock(now)
        self.clock = clock
        initialState = SandboxState(
            world: world, key: key, secret: folder?.secret ?? SymmetricKey(size: .bits256), softwareStatement: statement
        ) { clock.now }
        self.folder = folder
        current = CurrentWorld(world)
        log = ExchangeLog(keeps: keepsExchanges)
        gate = LocalGate(token: SandboxState.randomID(), host: host)
        self.pages = pages
    }

    /// The software statement with which an application registers.
    package var softwareStatement: String { initialState.softwareStatement }

    /// The recorded exchanges, the oldest first.
    package var exchanges: [SandboxExchange] { log.exchanges }

    /// The state with the current world.
    package var state: SandboxState { initialState.with(current.world) }

    /// Answers a request without the delays of faults.
    ///
    /// - Parameters:
    ///   - request: the method, the path with the query, and the header fields.
    ///   - body: the bytes of the body; `nil` for none.
    /// - Returns: the head of the answer, and its whole body.
    package func answer(_ request: HTTPTypes.HTTPRequest, body: Data?) async -> (HTTPTypes.HTTPResponse, Data) {
        let (path, query) = (request.path ?? "/").divided(at: "?")
        var headers = FlyingFox.HTTPHeaders()
        for field in request.headerFields { headers[HTTPHeader(field.name.rawName)] = field.value }
        headers[.host] = headers[.host] ?? request.authority ?? "127.0.0.1"
        let head = RequestHead(
            method: request.method.rawValue, path: path.isEmpty ? "/" : String(path),
            query: query.map { String($0) } ?? "",
            headers: headers, length: RequestHead.length(request.path ?? "/", headers), peer: "127.0.0.1",
            isFromThisMachine: true)
        let reply = await answer(head, .bytes(body ?? Data()))
        log.sent(reply.ticket)
        var answer = HTTPTypes.HTTPResponse(status: .init(code: reply.response.statusCode.code))
        for (header, value) in reply.response.headers {
            guard let name = HTTPField.Name(header.rawValue) else { continue }
            answer.headerFields.append(HTTPField(name: name, value: value))
        }
        guard case .pieces(let begin) = reply.delivery else { return (answer, reply.body) }
        return (answer, await begin().reduce(into: Data()) { $0.append($1) })
    }

    func answer(_ head: RequestHead, _ body: RequestBody) async -> SandboxReply {
        // An export writes the recorded path behind the address of this sandbox, where such a path would name another
        // server.
        guard head.path.hasBytePrefix("/") else {
            let refusal = FlyingFox.HTTPResponse.json(["error": "The path begins without a slash."], status: 400)
            return await SandboxReply(refusal.guarded)
        }
        switch SandboxRequest.segments(head.path).first {
        case nil, "console", "sandbox": return await local(head, body)
        default: return await service(head, body)
        }
    }

    // MARK: - The service

    private func service(_ head: RequestHead, _ body: RequestBody, isReplay: Bool = false) async -> SandboxReply {
        let timer = ExchangeTimer(clock)
        let bytes = body.stored
        let step = ServiceStep.of(head.method, SandboxRequest.routed(head.path))
        let ticket = log.arrive(head, body: body, timer: timer, step: step)
        // Only faults and holds for some requests need these, and most sandboxes have none of them.
        lazy var request = RecordedRequest(head, body: bytes)
        lazy var device = log.device(of: request)
        let taken = current.take(
            step, isReplay: isReplay, device: { device },
            resources: { ExchangeOutcome.resources(request, step.id) })
        let applied = AppliedFaults(taken.faults, at: step, in: taken.plain)
        let state = applied.state(initialState.with(taken.world))
        let response = applied.replacement() ?? respond(to: head, body, in: state)
        let origin = head.header("Origin")
        let wanted = head.header("Access-Control-Request-Headers")
        var reply = applied.send(await SandboxReply(response.allowing(origin: origin, wanted: wanted)))
        current.count(taken, changedBy: applied.effective)
        var faults = applied.effectiveKinds
        var wasHeld = false
        if !isReplay, let ticket, let rule = holds.take(step, device: { device }) {
            log.note("An answer is held.")
            let release = await holds.wait(reply, ofExchange: ticket.id, at: step, rule: rule)
            let released = await reply.released(release, at: step, to: origin)
            reply = released.reply
            let more = released.kinds.filter { !faults.contains($0) }
            faults += more
            wasHeld = true
        }
        // With this header, a recording shows that the service's clock differs from the machine's clock.
        if timer.began != timer.machineTime { reply.response.headers[HTTPHeader("Date")] = timer.began.httpText }
        reply.ticket = log.answer(ticket) {
            var exchange = SandboxExchange(
                id: $0, head, body: bytes, length: body.length, timer: timer, reply: reply, faults: faults, step: step)
            exchange.wasHeld = wasHeld
            return exchange
        }
        return reply
    }

    private func respond(
        to head: RequestHead, _ body: RequestBody, in state: SandboxState
    ) -> FlyingFox.HTTPResponse {
        do throws(SandboxRefusal) {
            return try ServiceRoutes(state: state).respond(to: SandboxRequest(head, body))
        } catch {
            return error.response
        }
    }

    /// Sends a recorded request to the service again, as it was or edited.
    ///
    /// The new request is not held, and no fault of a connection happens to it.
    ///
    /// - Parameters:
    ///   - exchange: the exchange whose request is sent.
    ///   - method: the method; `nil` for that of the recorded request.
    ///   - target: the path with the query; `nil` for that of the recorded request.
    ///   - headers: the header fields; `nil` for those of the recorded request.
    ///   - body: the bytes of the body; `nil` for those of the recorded request.
    /// - Returns: the number of the new exchange; `nil` when the path does not belong to the service.
    package func replay(
        _ exchange: SandboxExchange, method: String? = nil, target: String? = nil,
        headers: [(name: String, value: String)]? = nil, body: Data? = nil
    ) async -> Int? {
        let (path, query) = (target ?? exchange.target).divided(at: "?")
        guard path.hasBytePrefix("/") else { return nil }
        switch SandboxRequest.segments(String(path)).first {
        case nil, "console", "sandbox": return nil
        default: break
        }
        var fields = FlyingFox.HTTPHeaders()
        for (name, value) in headers ?? exchange.request.headers { fields.addValue(value, for: HTTPHeader(name)) }
        let bytes = body ?? exchange.request.body
        fields[.contentLength] = bytes.isEmpty ? nil : "\(bytes.count)"
        // The stored body is not in chunks.
        fields[.transferEncoding] = nil
        let head = RequestHead(
            method: method ?? exchange.method, path: String(path), query: query.map { String($0) } ?? "",
            headers: fields, length: RequestHead.length(target ?? exchange.target, fields), peer: exchange.address,
            isFromThisMachine: true)
        let reply = await service(head, .bytes(bytes), isReplay: true)
        log.sent(reply.ticket)
        return reply.ticket?.id
    }

    // MARK: - Paths for this machine only

    /// Answers a request to `/sandbox/` or to the sandbox's pages.
    private func local(_ head: RequestHead, _ body: RequestBody) async -> SandboxReply {
        if let refusal = gate.refusal(head) { return await SandboxReply(refusal) }
        let timer = ExchangeTimer(clock)
        do throws(SandboxRefusal) {
            let request = try SandboxRequest(head, body)
            if request.path.first == "sandbox" {
                let ticket = log.arrive(head, body: body, timer: timer)
                var reply = await SandboxReply(SandboxInfo.respond(state, request, log: log).guarded)
                reply.ticket = log.answer(ticket) {
                    SandboxExchange(id: $0, head, body: request.body, timer: timer, reply: reply)
                }
                return reply
            }
            if let pages { return await pages.answer(request, self) }
            let text = "This sandbox was started without its console. Facts for programs: GET /sandbox/info\n"
            return await SandboxReply(
                FlyingFox.HTTPResponse.text(text, type: "text/plain;charset=UTF-8", status: 404).guarded)
        } catch {
            return await SandboxReply(error.response.guarded)
        }
    }
}
