import TVENetworking

/// A call whose exchange a test breaks.
enum Endpoint: CaseIterable, Sendable {
    case configuration, registrationCode, loginPage, session, authorization, mediaToken, preauthorization

    /// Its place among all exchanges, for tests that share a long table out to them.
    var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// A part of the path of the exchange, nil where a dialect has no such exchange.
    func path(_ dialect: ServiceDialect) -> String? {
        switch (self, dialect) {
        case (.configuration, .classic): "/config/"
        case (.registrationCode, .classic): "/regcode"
        case (.loginPage, .classic): "/authenticate/saml"
        case (.session, .classic): "/sessionDevice"
        case (.authorization, .classic): "/authorizeDevice"
        case (.mediaToken, .classic): "/deviceShortAuthorize"
        case (.preauthorization, .classic): "/preauthorize"
        case (.registrationCode, .restV2): "/DEMO/sessions"
        case (.session, .restV2): "/profiles/code/"
        case (.authorization, .restV2): "/decisions/authorize/"
        case (.preauthorization, .restV2): "/decisions/preauthorize/"
        // Only the browser opens the page, media tokens come with decisions, and a viewer who is logged in needs no
        // configuration.
        case (.configuration, .restV2), (.loginPage, .restV2), (.mediaToken, .restV2): nil
        }
    }

    /// Every exchange of every dialect.
    static func all(_ some: [Endpoint] = allCases) -> [(ServiceDialect, Endpoint)] {
        ServiceDialect.allCases.flatMap { dialect in
            some.filter { $0.path(dialect) != nil }.map { (dialect, $0) }
        }
    }

    /// The code for "no readable answer".
    var failure: String {
        switch self {
        case .configuration: "CFG404"
        case .registrationCode, .loginPage, .session: "N500"
        case .authorization, .mediaToken: "Z500"
        case .preauthorization: "P100"
        }
    }

    /// The code for a status with an HTML page.
    func code(for status: Int, _ dialect: ServiceDialect) -> String {
        // A page says nothing about the access token, whatever the request was.
        if dialect == .restV2, status == 401 { return self == .configuration ? "CFG500" : failure }
        return switch (self, status) {
        case (.configuration, 400), (.configuration, 404), (.configuration, 410), (.configuration, 429):
            "CFG\(status)"
        // The service has ended, whatever was asked.
        case (.session, 410), (.authorization, 410), (.mediaToken, 410), (.preauthorization, 410): "CFG410"
        case (.configuration, 401), (.configuration, 403): "SEC403"
        case (.configuration, 500...): "CFG\(status)"
        case (.configuration, _): "CFG500"
        case (.registrationCode, 200...299): "N500"
        case (.registrationCode, _): "REG500"
        // The browser sees the same page, and its viewer leaves.
        case (.loginPage, _): "N005"
        case (.session, 401): "N130"
        case (.session, _): "N500"
        case (.authorization, 429), (.mediaToken, 429): "Z100"
        case (.authorization, _), (.mediaToken, _): "Z500"
        case (.preauthorization, _): "P100"
        }
    }
}
