import Foundation
import TVEModels
import TVESandbox

extension ConsoleAPI {
    /// The OpenAPI description of the API.
    ///
    /// The file contains the members that all operations share only once, and they are merged into each operation here.
    /// The values of a closed set are in no file, and come from the types that define them.
    static let openAPI: MetadataValue = {
        let file = (try? MetadataValue(json: Data(EmbeddedFile.text("ConsoleAPI.json").utf8))) ?? .null
        let everyOperation = file["components"]?["x-every-operation"] ?? [:]
        let paths = (file["paths"]?.objectValue ?? [:]).mapValues { path in
            MetadataValue.object((path.objectValue ?? [:]).mapValues { $0.merging(everyOperation) })
        }
        let schemas = closedSets.mapValues { MetadataValue.object(["enum": .array($0.map(MetadataValue.string))]) }
        return file.merging([
            "paths": .object(paths), "components": ["x-every-operation": .null, "schemas": .object(schemas)],
        ])
    }()

    /// The values of the schemas that have a closed set of them.
    private static let closedSets: [String: [String]] = {
        let dialects = ServiceStep.Dialect.allCases.map(\.rawValue)
        let steps = ServiceStep.rows.map(\.id)
        let rules = SandboxWorld.Provider.Degradation.allCases.map(\.rawValue)
        return [
            "Dialect": dialects, "DialectFilter": [""] + dialects,
            "ExchangeOutcome": ExchangeOutcome.Kind.allCases.map(\.rawValue),
            "ExchangeStep": steps + [ServiceStep.other.id],
            "ExpectationResult": ExpectationOutcome.Result.allCases.map(\.rawValue),
            "FaultCode": EnhancedErrorRow.codes + rules,
            "FaultKind": SandboxWorld.Fault.Kind.allCases.map(\.rawValue),
            "OutcomeFilter": ExchangeFilter.outcomes,
            "ReadyWorld": ReadyWorld.all.map(\.name), "Step": steps,
        ]
    }()
}
