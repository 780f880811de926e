import FlyingFox
import Foundation

/// Finds the route of a request, applies faults, and logs the exchange.
///
/// Each route is in the file of its area.
struct SandboxRouter: Sendable {
    /// The sandbox's state, with its initial world.
    let beginning: SandboxState
    let board: WorldBoard
    let log: ExchangeLog
    let gate: ConsoleGate

    /// The state with the current world.
    var state: SandboxState {
        var state = beginning
        state.world = board.world
        return state
    }

    func answer(_ head: RequestHead, _ body: RequestBody) async -> SandboxReply {
        switch SandboxRequest.segments(head.path).first {
        // Pages and API for this machine only.
        case nil, "console", "sandbox": await guarded(head, body)
        default: await service(head, body)
        }
    }

    // MARK: - The service

    private func service(_ head: RequestHead, _ body: RequestBody) async -> SandboxReply {
        let (began, start) = (beginning.now, ContinuousClock.now)
        let bytes = if case .bytes(let bytes) = body { bytes } else { Data() }
        let step = ServiceStep.of(head.method, SandboxRequest.routed(head.path))
        func exchange(_ id: Int, _ reply: SandboxReply?, _ faults: [SandboxWorld.Fault]) -> SandboxExchange {
            var exchange = SandboxExchange(
                id: id, began: began, milliseconds: (ContinuousClock.now - start) / .milliseconds(1),
                method: head.method, path: head.path, query: head.query, request: .init(head.headers, bytes),
                status: reply?.response.statusCode.code ?? 0,
                answer: .init(reply?.response.headers ?? [:], reply?.body ?? Data()), address: head.peer,
                faults: faults.map(\.kind))
            exchange.facts.step = step.id
            return exchange
        }
        let (world, faults) = board.take(step) { log.device(of: exchange(0, nil, [])) }
        var state = beginning
        state.world = world
        let play = FaultPlay(faults: faults, step: step)
        let origin = head.header("Origin")
        let response = play.replacement ?? respond(play.state(state), head, body)
        let reply = play.send(await SandboxReply(CrossOrigin.allow(response, origin)))
        log.add { exchange($0, reply, faults) }
        return reply
    }

    private func respond(_ state: SandboxState, _ head: RequestHead, _ body: RequestBody) -> HTTPResponse {
        do throws(SandboxRefusal) {
            return try ServiceRoutes(state: state).respond(to: SandboxRequest(head, body))
        } catch {
            return error.response
        }
    }

    // MARK: - Console and facts

    private func guarded(_ head: RequestHead, _ body: RequestBody) async -> SandboxReply {
        if let refusal = gate.refusal(head) { return await SandboxReply(refusal) }
        let (began, start) = (beginning.now, ContinuousClock.now)
        do throws(SandboxRefusal) {
            let request = try SandboxRequest(head, body)
            guard request.path.first == "sandbox" else { return await ConsoleRoutes(router: self).answer(request) }
            let reply = await SandboxReply(facts(request).guarded)
            log.add {
                SandboxExchange(
                    id: $0, began: began, milliseconds: (ContinuousClock.now - start) / .milliseconds(1),
                    method: head.method, path: head.path, query: head.query, request: .init(head.headers, request.body),
                    status: reply.response.statusCode.code, answer: .init(reply.response.headers, reply.body),
                    address: head.peer, faults: [])
            }
            return reply
        } catch {
            return await SandboxReply(error.response.guarded)
        }
    }

    private func facts(_ request: SandboxRequest) -> HTTPResponse {
        switch (request.method, request.path.count > 1 ? request.path[1] : "", request.path.count) {
        case ("GET", "info", 2): return SandboxInfo.info(state, request)
        case ("DELETE", "clients", 2):
            log.note("All applications were revoked.")
            return ClientRegistration.revokeAll(state)
        default: return .status(404)
        }
    }
}
