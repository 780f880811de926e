import FlyingFox
import Foundation
import TVEModels
import TVESandbox

/// The endpoints for worlds and faults.
///
/// Each change may name the version of the world to which it applies (`If-Match`). It is refused if the world has
/// changed since that version.
extension ConsoleAPI {
    func world() -> HTTPResponse {
        let (world, version) = routes.current.versioned
        var response = HTTPResponse.text(world.json + "\n", type: "application/json;charset=UTF-8").versioned(version)
        response.headers[HTTPHeader("Content-Disposition")] = "inline; filename=\"world.json\""
        return response
    }

    func checkWorld(_ request: SandboxRequest) -> HTTPResponse {
        read(request.body) { _ in .status(204) }
    }

    func replaceWorld(_ request: SandboxRequest) -> HTTPResponse {
        read(request.body) { world in change(request, noting: "Another world was applied.") { $0 = world } }
    }

    /// Applies a merge patch to the world (RFC 7396).
    func changeWorld(_ request: SandboxRequest) -> HTTPResponse {
        let (world, version) = routes.current.versioned
        guard let patch = try? UntrustedJSON.read(MetadataValue.self, from: request.body),
            let present = try? UntrustedJSON.read(MetadataValue.self, from: Data(world.json.utf8)),
            case .object(let members) = patch, let merged = try? JSONEncoder().encode(present.merging(patch))
        else { return .problems(["A change is a JSON object with the changed members."], status: 400) }
        return read(merged) { changed in
            // The world may have changed since it was read. If the request names no version, the patch is then merged
            // into the newer world.
            let what = Array(members.keys) == ["behavior"] ? "behaviour of the service" : "world"
            let answer = change(request, noting: "The \(what) was changed.", at: version) { $0 = changed }
            let isLate = answer.statusCode.code == 412 && self.version(request) == nil
            return isLate ? changeWorld(request) : answer
        }
    }

    func applyReady(_ name: String, _ request: SandboxRequest) -> HTTPResponse {
        guard let ready = ReadyWorld.named(name) else {
            return .problems(["There is no ready world with this name."], status: 404)
        }
        return change(request, noting: "The world \(ready.title) was applied.") { $0 = ready.world }
    }

    private func read(_ body: Data, _ answer: (SandboxWorld) -> HTTPResponse) -> HTTPResponse {
        do throws(SandboxWorldDocumentError) {
            return answer(try SandboxWorld(json: body))
        } catch {
            return .problems(error.problems, status: 400)
        }
    }

    // MARK: - Faults

    private struct FaultReport: Encodable {
        let key: String
        let fault: SandboxWorld.Fault

        init(_ fault: SandboxWorld.Fault) {
            key = fault.key
            self.fault = fault
        }
    }

    func faults() -> HTTPResponse {
        let (world, version) = routes.current.versioned
        return HTTPResponse.json(world.faults.map(FaultReport.init)).versioned(version)
    }

    func turnOn(_ request: SandboxRequest) throws(JSONFormError) -> HTTPResponse {
        let fault = try SandboxWorld.Fault(form: request.body)
        let fields = routes.current.world.problems(fault)
        guard fields.isEmpty else { return .invalid(fields) }
        let answer = change(request, noting: "\(fault.kind.title): turned on.") { $0.faults.append(fault) }
        guard answer.statusCode.code == 204 else { return answer }
        return HTTPResponse.json(FaultReport(fault), status: 201).versioned(routes.current.versioned.version)
    }

    func turnAllOff(_ request: SandboxRequest) -> HTTPResponse {
        change(request, noting: "All faults were turned off.") { $0.faults = [] }
    }

    func turnOff(_ key: String) -> HTTPResponse {
        var isTurnedOn = false
        _ = try? routes.current.change { world in
            guard let index = world.faults.firstIndex(where: { $0.key == key }) else { return }
            world.faults.remove(at: index)
            isTurnedOn = true
        }
        guard isTurnedOn else { return .problems(["This fault is not turned on."], status: 404) }
        return changed(true, "A fault was turned off.")
    }

    // MARK: - Versions

    /// Changes the world if it still has the version that the request names, and notes a sentence about the change.
    func change(
        _ request: SandboxRequest, noting sentence: String, at version: Int? = nil,
        _ body: (inout SandboxWorld) -> Void
    ) -> HTTPResponse {
        do throws(SandboxWorldError) {
            guard let version = try routes.current.change(at: self.version(request) ?? version, body) else {
                let text = "The world was changed in the meantime, perhaps in another window. Nothing was changed."
                return HTTPResponse.problems([text], status: 412).versioned(routes.current.versioned.version)
            }
            routes.log.note(sentence)
            return HTTPResponse.status(204).versioned(version)
        } catch {
            return .problems(["\(error)"], status: 400)
        }
    }

    /// Returns the version that a request names in `If-Match`.
    ///
    /// - Returns: `nil` if there is no such header or it is `*`; -1, which no world has, if the header is not a number.
    func version(_ request: SandboxRequest) -> Int? {
        guard let text = request.header("If-Match"), text != "*" else { return nil }
        return Int(text.trimmingCharacters(in: CharacterSet(charactersIn: "\""))) ?? -1
    }
}

extension HTTPResponse {
    /// Returns an answer that lists fields whose values are not valid.
    static func invalid(_ fields: [String]) -> HTTPResponse {
        .problems(fields.map { "The value of \($0) is not valid." }, status: 400)
    }

    func versioned(_ version: Int) -> HTTPResponse {
        var response = self
        response.headers[HTTPHeader("ETag")] = "\"\(version)\""
        return response
    }
}

extension MetadataValue {
    /// Returns the value with a merge patch applied (RFC 7396).
    func merging(_ patch: MetadataValue) -> MetadataValue {
        guard case .object(let changes) = patch else { return patch }
        var members: [String: MetadataValue] = if case .object(let members) = self { members } else { [:] }
        for (name, value) in changes {
            members[name] = value == .null ? nil : (members[name] ?? .null).merging(value)
        }
        return .object(members)
    }
}
