import ArgumentParser
import Foundation
import TVEFlowEngine
import TVENetworking

/// A file that a team sends to support, with the findings of a run, the versions and the exchanges.
struct SupportBundle {
    let findings: [Finding]
    let recording: ExchangeRecording

    /// Returns the bytes of the file, in the HTTP Archive format.
    func bytes(_ options: SessionOptions) throws -> Data {
        var facts = [
            "tve": TVE.configuration.version, "system": ProcessInfo.processInfo.operatingSystemVersionString,
            "processor": Self.processor, "timeZone": TimeZone.current.identifier,
            "requestor": options.requestorID.text,
            "dialect": "\(try options.serviceDialect().map { "\($0)" } ?? "of the application")",
        ]
        for (number, finding) in findings.enumerated() {
            let advice = finding.advice.map { " \($0)" } ?? ""
            facts["finding \(number + 1), \(finding.check)"] =
                "\(finding.state.rawValue): \(finding.text)\(advice)"
        }
        return recording.archive(facts: facts)
    }

    private static let processor: String = {
        #if arch(x86_64)
        "x86_64"
        #elseif arch(arm64)
        "arm64"
        #else
        "another"
        #endif
    }()
}
