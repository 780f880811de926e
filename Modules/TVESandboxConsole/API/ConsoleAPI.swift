import FlyingFox
import Foundation
import TVEModels
import TVESandbox

/// The HTTP API behind the console's pages.
///
/// `/console/openapi.json` describes the API, and scripts may use it as well.
struct ConsoleAPI {
    let routes: SandboxRoutes
    let index: SearchIndex

    func answer(_ request: SandboxRequest) async -> SandboxReply {
        let path = Array(request.path.dropFirst(2))
        if request.method == "GET", path == ["events"] { return await EventFeed.reply(routes, index) }
        if request.method == "POST", path.count == 3, path[0] == "exchanges", path[2] == "replay" {
            do throws(JSONFormError) {
                return try await SandboxReply(replay(path[1], request).guarded)
            } catch {
                return await SandboxReply(HTTPResponse.problems(error.problems, status: 400).guarded)
            }
        }
        if ["GET", "HEAD"].contains(request.method), path.count == 1, let reply = await document(path[0], request) {
            return reply
        }
        return await SandboxReply(respond(request, path).guarded)
    }

    private func respond(_ request: SandboxRequest, _ path: [String]) -> HTTPResponse {
        let handlers = handlers(path, request)
        guard !handlers.isEmpty else { return .status(404) }
        guard let handler = handlers[request.method == "HEAD" ? "GET" : request.method] else {
            return .notAllowed(handlers.keys.sorted())
        }
        do {
            return try handler()
        } catch {
            return .problems((error as? JSONFormError)?.problems ?? ["\(error)"], status: 400)
        }
    }

    /// Returns the handlers of a path by HTTP method; the dictionary is empty for an unknown path.
    private func handlers(_ path: [String], _ request: SandboxRequest) -> [String: () throws -> HTTPResponse] {
        let last = path.last ?? ""
        return switch (path.first, path.count) {
        case ("exchanges", 1): ["GET": { exchanges(request) }, "DELETE": { clearExchanges() }]
        case ("exchanges", 2) where last == "restore": ["POST": { restoreExchanges() }]
        case ("exchanges", 2): ["GET": { exchange(path[1], for: request) { .json(ExchangeReport($0, $1)) } }]
        case ("exchanges", 3) where last == "curl":
            ["GET": { exchange(path[1], for: request) { exchange, _ in curl(exchange, host: request.host) } }]
        // `answer(_:)` has already handled POST.
        case ("exchanges", 3) where last == "replay": ["POST": { .status(404) }]
        // `answer(_:)` has already handled GET with a document.
        case ("har", 1), ("session", 1): ["GET": { .status(404) }]
        case ("state", 1): ["GET": { .json(StateReport(routes.state)) }]
        // `answer(_:)` has already handled GET with a stream.
        case ("events", 1): ["GET": { .status(404) }]
        case ("clock", 1): ["GET": { clock() }, "POST": { try moveClock(request) }, "DELETE": { resetClock() }]
        case ("world", 1):
            ["GET": { world() }, "PUT": { replaceWorld(request) }, "PATCH": { changeWorld(request) }]
        case ("world", 2) where last == "check": ["POST": { checkWorld(request) }]
        case ("viewers", 1): ["POST": { try saveViewer(request) }]
        case ("viewers", 2): ["DELETE": { removeViewer(last, request) }]
        case ("worlds", 1):
            ["GET": { .json(ReadyWorld.all.map { ["name": $0.name, "title": $0.title, "about": $0.about] }) }]
        case ("worlds", 2): ["POST": { applyReady(last, request) }]
        case ("faults", 1): ["GET": { faults() }, "POST": { try turnOn(request) }, "DELETE": { turnAllOff(request) }]
        case ("faults", 2): ["DELETE": { turnOff(last) }]
        case ("holds", 1): ["GET": { holds() }, "POST": { try hold(request) }, "DELETE": { holdNothing() }]
        case ("holds", 3) where last == "release": ["POST": { try release(path[1], request) }]
        case ("snapshots", 1): ["GET": { snapshots() }, "POST": { try saveSnapshot(request) }]
        case ("snapshots", 2): ["DELETE": { deleteSnapshot(last) }]
        case ("snapshots", 3) where last == "restore": ["POST": { restoreSnapshot(path[1]) }]
        case ("expectations", 1): ["GET": { expectations() }, "POST": { try expect(request) }]
        case ("expectations", 2): ["DELETE": { expectNoMore(last, request) }]
        case ("notes", 1): ["GET": { notes() }, "PUT": { try writeNotes(request) }]
        case ("devices", 3) where last == "name": ["PUT": { try nameDevice(path[1], request) }]
        case ("logins", 3) where last == "end":
            ["POST": { changed(routes.state.endLogin(path[1]), "A login was ended.") }]
        case ("logins", 3) where last == "expire":
            ["POST": { changed(routes.state.expireLogin(path[1]), "A login was ended.") }]
        case ("households", 1): ["GET": { households() }]
        case ("households", 2) where last == "join": ["POST": { try joinHousehold(request) }]
        case ("households", 3) where last == "code": ["POST": { makeLinkCode(household: path[1]) }]
        case ("households", 3) where last == "end": ["POST": { endTokens(household: path[1]) }]
        case ("households", 4) where path[2] == "devices": ["DELETE": { unlink(last, household: path[1]) }]
        case ("clients", 2): ["DELETE": { changed(routes.state.revokeClient(last), "An application was revoked.") }]
        case ("codes", 2): ["DELETE": { changed(routes.state.cancelCode(last), "A code was deleted.") }]
        default: [:]
        }
    }

    func changed(_ isFound: Bool, _ sentence: String) -> HTTPResponse {
        guard isFound else { return .problems(["There is nothing with this name."], status: 404) }
        routes.log.note(sentence)
        return .status(204)
    }

    // MARK: - Clock

    private func clock() -> HTTPResponse {
        struct Report: Encodable { let now, moved: Int64 }
        return .json(
            Report(now: routes.state.now.milliseconds, moved: Int64(bounded: routes.clock.offset * 1000)))
    }

    private func moveClock(_ request: SandboxRequest) throws(JSONFormError) -> HTTPResponse {
        let move = try ClockMove(form: request.body)
        guard (move.by == nil) != (move.to == nil) else {
            return .problems(["The clock moves by seconds, or to milliseconds since 1970."], status: 400)
        }
        return setClock { offset, source in
            move.by.map { offset + $0 } ?? (move.to ?? 0) / 1000 - source.timeIntervalSince1970
        }
    }

    private func resetClock() -> HTTPResponse { setClock { _, _ in 0 } }

    private func setClock(_ offset: (_ present: TimeInterval, _ source: Date) -> TimeInterval) -> HTTPResponse {
        guard let moved = routes.clock.move(offset) else {
            return .problems(["The clock cannot be moved by more than ten years."], status: 400)
        }
        let seconds = Int(bounded: moved.rounded())
        let distance = Duration.seconds(abs(seconds)).formatted(.units(allowed: [.days, .hours, .minutes, .seconds]))
        routes.log.mark(
            "The clock was moved \(seconds < 0 ? "back" : "ahead") by \(distance).", at: routes.state.now)
        return clock()
    }
}

extension HTTPResponse {
    /// Returns an answer that lists errors as sentences.
    static func problems(_ sentences: [String], status: Int) -> HTTPResponse {
        .json(["problems": sentences], status: status)
    }
}

private struct ClockMove: JSONForm {
    // Numbers with a fraction are allowed.
    static let shape = JSONShape(ClockMove(by: 0.5, to: 0.5))

    /// The number of seconds by which to move the clock, or the time to set it to in milliseconds since 1970.
    let by, to: Double?
}
