import FlyingFox
import Foundation
import TVEModels
import TVESandbox

/// The endpoints for the tester's expectations of clients, which are part of the world.
extension ConsoleAPI {
    func expectations() -> HTTPResponse {
        struct Report: Encodable {
            let expectation: SandboxWorld.Expectation
            let result: String
            let problems: [String]
            let exchanges: [Int]
        }
        return .json(
            routes.expectationOutcomes(in: routes.log.exchanges).map {
                Report(
                    expectation: $0.expectation, result: $0.result.rawValue, problems: $0.problems,
                    exchanges: $0.exchanges)
            })
    }

    func expect(_ request: SandboxRequest) throws(JSONFormError) -> HTTPResponse {
        let expectation = try SandboxWorld.Expectation(form: request.body)
        let fields = expectation.problems
        guard fields.isEmpty else {
            return .problems(fields.map { "The value of \($0) is missing or not valid." }, status: 400)
        }
        return change(request, noting: "An expectation was added.") { $0.expectations.append(expectation) }
    }

    func expectNoMore(_ name: String, _ request: SandboxRequest) -> HTTPResponse {
        guard routes.current.world.expectations.contains(where: { $0.name.isSameBytes(as: name) }) else {
            return changed(false, "")
        }
        return change(request, noting: "An expectation was removed.") { world in
            world.expectations.removeAll { $0.name.isSameBytes(as: name) }
        }
    }
}
