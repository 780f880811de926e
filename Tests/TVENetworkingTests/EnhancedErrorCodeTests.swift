import TVEModels
import TVENetworking
import TVESandbox
import Testing

/// The meaning of each documented error code, which does not depend on the action beside it.
struct EnhancedErrorCodeTests {
    enum Meaning: Equatable, Sendable {
        case denied(AuthorizationDenial.Reason)
        case loginOver, viewerMissing, refused
    }

    /// The codes that mean more than that the service has refused the request.
    private static let meanings: [(Meaning, [String])] = [
        (
            .denied(.provider),
            [
                "preauthorization_denied_by_mvpd", "authorization_denied_by_mvpd",
                "authorization_denied_by_parental_controls",
            ]
        ),
        (
            .denied(.degradation),
            ["authorization_denied_by_degradation_rule", "authorization_denied_by_degradation_configuration_change"]
        ),
        (
            .denied(.network),
            [
                "network_received_error", "network_connection_timeout", "maximum_execution_time_exceeded",
                "maximum_attempts_exceeded", "degraded_integration",
            ]
        ),
        (.denied(.invalidResource), ["invalid_parameter_resources"]),
        (
            .denied(.temporaryAccessOver),
            ["temporary_access_duration_limit_exceeded", "temporary_access_resources_limit_exceeded"]
        ),
        (
            .loginOver,
            [
                "authenticated_profile_missing", "authenticated_profile_expired", "authenticated_profile_invalidated",
                "authorization_denied_by_hba_policies", "authorization_denied_by_session_invalidated",
                "identity_not_recognized_by_mvpd",
            ]
        ),
        (.viewerMissing, ["invalid_header_identity_for_temporary_access"]),
    ]

    /// Codes that only the vendor's OpenAPI file has.
    private static let onlyInTheOpenAPI = [
        "authorization_denied_by_degradation_configuration_change", "invalid_refresh_token",
        "maximum_attempts_exceeded", "degraded_integration", "internal_error",
    ]

    private static let codes = EnhancedErrorRow.codes + onlyInTheOpenAPI

    private static func meaning(_ error: ServiceError) -> Meaning? {
        switch error {
        case .denied(let denial): .denied(denial.reason)
        case .pendingLogout: .loginOver
        case .viewerIdentityMissing: .viewerMissing
        case .refused: .refused
        default: nil
        }
    }

    @Test(arguments: codes, [nil, "none", "retry", "do_something_new"])
    func aCode_hasItsMeaning_whateverItsActionIs(code: String, action: String?) {
        let error = EnhancedError(status: 403, code: code, message: "No.", action: action)
        let wanted = Self.meanings.first { $0.1.contains(code) }?.0 ?? .refused
        let found = ServiceError(error)
        #expect(Self.meaning(found) == wanted)
        switch found {
        case .denied(let denial): #expect(denial.code == code && denial.explanation == error)
        case .pendingLogout(let signal): #expect(signal.reason == code && signal.explanation == error)
        case .viewerIdentityMissing(let explanation), .refused(let explanation): #expect(explanation == error)
        default: Issue.record("\(found)")
        }
    }

    /// A code is in one group alone, and each one is documented.
    @Test func theGroups_haveDocumentedCodesOnce() {
        let named = Self.meanings.flatMap(\.1)
        #expect(Set(named).count == named.count && Set(named).isSubset(of: Self.codes))
        #expect(named.allSatisfy { Self.meaning(ServiceError(EnhancedError(code: $0))) != .refused })
    }

    /// The service has failed or is too busy, according to the code or to the status.
    @Test(arguments: [
        ("internal_server_error", 403), ("internal_error", 200), ("brand_new", 500), ("brand_new", 503),
        ("brand_new", 429), ("authorization_denied_by_brand_new", 503), ("preauthorization_denied_by_brand_new", 429),
    ])
    func aFailureOfTheService_endsNoLogin_whateverItsActionIs(code: String, status: Int) {
        let error = EnhancedError(status: status, code: code, action: "authentication")
        #expect(ServiceError(error) == .refused(error) && ServiceError(ofDenial: error) == .refused(error))
    }

    /// A code that this version does not know is classified by its action, and then by its name.
    @Test(
        arguments: [
            ("brand_new", "authentication", .loginOver), ("brand_new", "none", .refused), ("brand_new", nil, .refused),
            ("authorization_denied_by_brand_new", "none", .denied(.provider)),
            ("preauthorization_denied_by_brand_new", nil, .denied(.provider)),
            ("authorization_denied_by_brand_new", "authentication", .loginOver),
            ("xauthorization_denied_by_mvpd", "none", .refused), ("authorization_denied", "none", .refused),
            ("", "none", .refused), ("", "authentication", .loginOver),
        ] as [(String, String?, Meaning)])
    func anUnknownCode_isClassified(code: String, action: String?, meaning: Meaning) {
        #expect(Self.meaning(ServiceError(EnhancedError(code: code, action: action))) == meaning)
    }
}
