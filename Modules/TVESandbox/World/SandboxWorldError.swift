import Foundation
public import TVEModels

/// An error in a world.
public enum SandboxWorldError: Error, Sendable, Equatable, CustomStringConvertible {
    /// An id occurs twice or is empty.
    case badID(String)
    /// A requestor refers to a provider that does not exist.
    case unknownProvider(MVPDID, requestor: RequestorID)
    /// A value is out of its range.
    case outOfRange(String)

    /// A sentence that names the place, and one about what to do.
    public var description: String {
        switch self {
        case .badID(let id): "The id \"\(id)\" is empty or occurs twice. Give each one an id of its own."
        case .unknownProvider(let id, let requestor):
            "Requestor \(requestor) names the unknown provider \"\(id)\". Add the provider, or remove its id there."
        case .outOfRange(let name):
            "The value of \(name) is not allowed. Documentation/Sandbox.md describes the fields of a world."
        }
    }
}

extension SandboxWorld {
    /// Checks that ids are unique, that references exist, and that numbers are in their ranges.
    ///
    /// - Throws: `SandboxWorldError` for the first error.
    public func validate() throws(SandboxWorldError) {
        for ids in [requestors.map(\.id.text), viewers.map(\.name)] {
            var seen: Set<ExactText> = []
            for id in ids where id.isEmpty || !seen.insert(ExactText(id)).inserted { throw .badID(id) }
        }
        // The ids of providers compare as strings, because they are keys of JSON answers, and the JSON encoder treats
        // two keys that look alike as one.
        var seen: Set<String> = []
        for id in providers.map(\.id.text) where id.isEmpty || !seen.insert(id).inserted { throw .badID(id) }
        for requestor in requestors {
            for id in requestor.providers where provider(id) == nil {
                throw .unknownProvider(id, requestor: requestor.id)
            }
        }
        let seconds = 1...315_360_000
        let lifetimes = [
            ("authenticationLifetime", behavior.authenticationLifetime),
            ("authorizationLifetime", behavior.authorizationLifetime), ("mediaLifetime", behavior.mediaLifetime),
            ("registrationCodeLifetime", behavior.registrationCodeLifetime),
            ("accessTokenLifetime", behavior.accessTokenLifetime),
        ]
        for (name, value) in lifetimes where !seconds.contains(value) { throw .outOfRange(name) }
        guard (-1_080...1_080).contains(behavior.tokenUTCOffsetMinutes) else {
            throw .outOfRange("tokenUTCOffsetMinutes")
        }
        guard [200, 400, 403].contains(behavior.denialStatus) else { throw .outOfRange("denialStatus") }
        for provider in providers {
            guard seconds.contains(provider.temporaryAccess?.seconds ?? 1), provider.denialsBeforeRefusal ?? 1 > 0,
                provider.temporaryAccess?.resourceLimit ?? 1 > 0
            else { throw .outOfRange("a number of provider \(provider.id)") }
        }
        guard behavior.preauthorizationLimit > 0 else { throw .outOfRange("preauthorizationLimit") }
        for redirect in behavior.restV2.redirectURLs where URL(string: redirect)?.scheme == nil {
            throw .outOfRange("redirectURLs: \(redirect)")
        }
        for (endpoint, code) in behavior.restV2.forcedErrors
        where Behavior.RESTv2.Endpoint(rawValue: endpoint) == nil || EnhancedErrorRow.of(code) == nil {
            throw .outOfRange("forcedErrors: \(endpoint)")
        }
        guard faults.count <= 100 else { throw .outOfRange("the number of faults") }
        for (index, fault) in faults.enumerated() {
            if let field = problem(fault) { throw .outOfRange("faults[\(index)].\(field)") }
        }
        guard expectations.count <= 100 else { throw .outOfRange("the number of expectations") }
        var names: Set<ExactText> = []
        for (index, expectation) in expectations.enumerated() {
            if let field = expectation.problem { throw .outOfRange("expectations[\(index)].\(field)") }
            guard names.insert(ExactText(expectation.name)).inserted else { throw .badID(expectation.name) }
        }
    }
}
