import FlyingFox
import Foundation
import TVEModels
import TVESandbox

/// The endpoints for answers that the sandbox holds until a tester releases them.
extension ConsoleAPI {
    func holds() -> HTTPResponse {
        struct Held: Encodable {
            let id, status: Int
            let step, body: String
            /// The time of the automatic release, in milliseconds since 1970 by the clock of this machine.
            let until: Int64
        }
        struct Report: Encodable {
            let rules: [RequestHolds.Rule]
            let held: [Held]
        }
        let held = routes.holds.held.map {
            Held(
                id: $0.id, status: $0.status, step: $0.step.id, body: String(decoding: $0.body, as: UTF8.self),
                until: $0.until.milliseconds)
        }
        return .json(Report(rules: routes.holds.rules, held: held))
    }

    func hold(_ request: SandboxRequest) throws(JSONFormError) -> HTTPResponse {
        let rule = try RequestHolds.Rule(form: request.body)
        if let step = rule.step, ServiceStep.named(step) == nil {
            return .problems(["There is no step with this name."], status: 400)
        }
        guard RequestHolds.Rule.range.contains(rule.seconds ?? RequestHolds.Rule.usualSeconds) else {
            return .problems(["An answer is held for 1 to 600 seconds."], status: 400)
        }
        guard routes.holds.add(rule) else {
            return .problems(["Too many answers are to be held already."], status: 400)
        }
        return changed(true, "The next answer will be held.")
    }

    func holdNothing() -> HTTPResponse {
        routes.holds.removeRules()
        return changed(true, "No further answer will be held.")
    }

    func release(_ id: String, _ request: SandboxRequest) throws(JSONFormError) -> HTTPResponse {
        let form = try request.body.isEmpty ? nil : ReleaseForm(form: request.body, .answer)
        var release = RequestHolds.Release.asItIs
        if let fault = form?.fault {
            let fields = routes.current.world.problems(fault)
            guard fields.isEmpty else { return .invalid(fields) }
            release = .fault(fault)
        } else if form?.status != nil || form?.body != nil {
            guard let held = routes.holds.held.first(where: { "\($0.id)" == id }) else { return changed(false, "") }
            let status = form?.status ?? held.status
            guard (200...599).contains(status) else {
                return .problems(["A status is a number from 200 to 599."], status: 400)
            }
            release = .edited(status: status, body: form?.body.map { Data($0.utf8) })
        }
        return changed(Int(id).map { routes.holds.release($0, release) } ?? false, "A held answer was released.")
    }
}

/// The form in which a held answer is released; unchanged without any of the fields.
private struct ReleaseForm: JSONForm {
    static let shape = JSONShape(
        ReleaseForm(status: 200, body: "body", fault: .example),
        choices: ["fault.kind": SandboxWorld.Fault.Kind.allCases.map(\.rawValue)])

    let status: Int?
    let body: String?
    let fault: SandboxWorld.Fault?
}
