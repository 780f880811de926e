import Foundation
import HTTPTypes
import TVEModels

/// The answer of the classic service to one request.
struct ServiceExchange {
    let status: Int
    let headers: HTTPFields
    let body: Data

    var isSuccess: Bool { (200...299).contains(status) }

    /// A denial with the reason from the headers (wire protocol, denial headers).
    func explained(_ denial: AuthorizationDenial) -> AuthorizationDenial {
        var denial = denial
        let details = header("Authzf-Error-Details") ?? ""
        denial.reason =
            switch (header("Authzf-Error-Code"), header("Authzf-Sub-Error-Code")) {
            case ("authzNone", _): .degradation
            case ("invalid", _): .invalidResource
            case ("network", _): .network
            case (_, "1010"): .repetition
            default: details.lowercased().contains("network error") ? .network : .provider
            }
        // The body has the complete text; the header's text is used when the body has none.
        if denial.details == nil, !details.isEmpty { denial.details = details }
        return denial
    }

    private func header(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { headers[$0] }
    }
}
