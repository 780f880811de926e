extension ServiceStep {
    /// Every step that the sandbox implements, in the order of a client's flow.
    package static let rows: [ServiceStep] = common + classicRows + restRows + householdRows + pageRows

    private static let common = [
        ServiceStep(
            id: "register", title: "Register the application", dialect: .platform, sender: .app,
            about: "A software statement becomes client id and secret, once for each application on a device.",
            source: "Dynamic client registration, POST /o/client/register"),
        ServiceStep(
            id: "token", title: "Get an access token", dialect: .platform, sender: .app,
            about: "Client id and secret become the bearer token that every later request carries.",
            source: "Dynamic client registration, POST /o/client/token"),
        ServiceStep(
            id: "individualize", title: "Individualize the browser", dialect: .classic, sender: .app,
            about: "A browser's fingerprint becomes its device id, with a signature that later requests must have.",
            source: "Wire protocol, individualization"),
        ServiceStep(
            id: "profileRequest", title: "Ask what the platform needs", dialect: .platform, sender: .app,
            about: "The text to pass to the system's TV provider sign-on.",
            source: "REST API v1, profile requests"),
        ServiceStep(
            id: "platformExchange", title: "Exchange the platform's answer", dialect: .platform, sender: .app,
            about: "The answer of the system's sign-on becomes a login of this device.",
            source: "REST API v1, token exchange"),
    ]

    private static let classicRows = [
        ServiceStep(
            id: "config", title: "Load the configuration", dialect: .classic, sender: .app,
            about: "setRequestor: the name of the requestor, and the TV providers with which it works.",
            source: "Wire protocol, config"),
        ServiceStep(
            id: "makeCode", title: "Get a registration code", dialect: .classic, sender: .app,
            about: "The code links a login in any browser to the device that asked for it.",
            source: "Wire protocol, registration codes"),
        ServiceStep(
            id: "readCode", title: "Look up a registration code", dialect: .classic, sender: .app,
            about: "Returns the request for which the code was created, until the code expires.",
            source: "Wire protocol, registration codes"),
        ServiceStep(
            id: "deleteCode", title: "Delete a registration code", dialect: .classic, sender: .app,
            about: "The code is no longer valid.", source: "Wire protocol, registration codes"),
        ServiceStep(
            id: "authenticateSAML", title: "Begin the login", dialect: .classic, sender: .browser,
            about: "The viewer's browser opens this page and is sent to the TV provider.",
            source: "Wire protocol, authenticate"),
        ServiceStep(
            id: "sessionWeb", title: "Fetch the AuthN token", dialect: .classic, sender: .app,
            about:
                "Returns the signed proof of the login with the viewer's metadata, or says that there is no login yet.",
            source: "Wire protocol, session"),
        ServiceStep(
            id: "sessionDevice", title: "Fetch the AuthN token", dialect: .classic, sender: .app,
            about:
                "Returns the signed proof of the login with the viewer's metadata, or says that there is no login yet.",
            source: "Wire protocol, sessionDevice"),
        ServiceStep(
            id: "authorizeWeb", title: "Authorize a resource", dialect: .classic, sender: .app,
            about: "The AuthN token becomes an AuthZ token for one resource, or a denial with the provider's text.",
            source: "Wire protocol, authorize"),
        ServiceStep(
            id: "authorizeDevice", title: "Authorize a resource", dialect: .classic, sender: .app,
            about: "The AuthN token becomes an AuthZ token for one resource, or a denial with the provider's text.",
            source: "Wire protocol, authorizeDevice"),
        ServiceStep(
            id: "mediaTokenWeb", title: "Fetch a media token", dialect: .classic, sender: .app,
            about: "The AuthZ token becomes a token for one playback, which is valid for minutes.",
            source: "Wire protocol, shortAuthorize"),
        ServiceStep(
            id: "mediaTokenDevice", title: "Fetch a media token", dialect: .classic, sender: .app,
            about: "The AuthZ token becomes a token for one playback, which is valid for minutes.",
            source: "Wire protocol, deviceShortAuthorize"),
        ServiceStep(
            id: "preauthorizeClassic", title: "Preauthorize", dialect: .classic, sender: .app,
            about: "Returns which of the resources the viewer may watch. This is not a permission to play.",
            source: "Wire protocol, preauthorize"),
        ServiceStep(
            id: "logoutClassic", title: "Log out", dialect: .classic, sender: .browser,
            about: "The session ends at the service, then at the provider.", source: "Wire protocol, logout"),
    ]

    private static let restRows = [
        (
            "configuration", "Load the configuration",
            "The name of the service provider, and the MVPDs with which it works.", "5.1"
        ),
        ("createSession", "Begin a login", "Opens an authentication session, and returns the next step.", "5.2"),
        (
            "resumeSession", "Continue a login", "Adds parameters that the session lacks, from this or another screen.",
            "5.3"
        ),
        ("session", "Look up a login", "Returns the parameters that the session of a code has and lacks.", "5.4"),
        (
            "authenticate", "Begin the login in the browser",
            "The viewer's browser opens this page and is sent to the MVPD.", "5.5"
        ),
        ("profiles", "List the profiles", "Every login of this application on this device.", "5.6"),
        ("profile", "Get a profile", "The login with one MVPD, or none.", "5.7"),
        (
            "profileOfCode", "Ask whether the login is finished",
            "A client polls this while the viewer logs in on another screen.", "5.8"
        ),
        ("preauthorize", "Preauthorize", "Returns which of the resources the viewer may watch.", "5.9"),
        (
            "authorize", "Authorize a resource", "The decision about one resource, with the media token that plays it.",
            "5.10"
        ),
        ("logout", "Log out", "Removes the profile, and returns the action that completes the logout.", "5.11"),
        (
            "partnerSession", "Ask what the platform needs",
            "Returns the request for the system's sign-on, or the next step without it.", "5.12"
        ),
        (
            "partnerProfile", "Make a profile from the platform's answer",
            "The answer of the system's sign-on becomes a profile.", "5.13"
        ),
    ].map { id, title, about, number in
        ServiceStep(
            id: id, title: title, dialect: .restV2, sender: id == "authenticate" ? .browser : .app, about: about,
            source: "REST API v2, \(number)")
    }

    private static let householdRows = [
        (
            "serviceToken", "Get a service token",
            "An account of the programmer, or a code of another device, becomes the token of a household.",
            "Service Token API"
        ),
        (
            "renewServiceToken", "Renew the service token",
            "A token that is valid or has just ended becomes a fresh one.",
            "Service Token API"
        ),
        ("link", "Get a link code", "A code of six digits with which another device joins the household.", "Link API"),
        (
            "householdDevices", "List the household's devices", "Every device that shares the household's logins.",
            "List API"
        ),
        (
            "unlink", "Unlink devices", "Devices leave the household, and their tokens end.",
            "Unlink API"
        ),
    ].map { id, title, about, section in
        ServiceStep(
            id: id, title: title, dialect: .restV2, sender: .app, about: about,
            source: "Single sign-on service, \(section)")
    }

    private static let pageRows = [
        ServiceStep(
            id: "providerPage", title: "Show the login page", dialect: .pages, sender: .browser, isProvider: true,
            about: "The TV provider's own page; nothing that is typed there reaches the app.",
            source: "Wire protocol, authenticate"),
        ServiceStep(
            id: "providerLogin", title: "Send name and password", dialect: .pages, sender: .browser, isProvider: true,
            about: "The TV provider checks the viewer and sends its answer through the browser.",
            source: "Wire protocol, authenticate"),
        ServiceStep(
            id: "assertion", title: "Take the provider's answer", dialect: .pages, sender: .browser,
            about: "The service reads the provider's answer and sends the browser to the redirect URL of the app.",
            source: "Wire protocol, authenticate"),
        ServiceStep(
            id: "providerLogout", title: "Log out at the provider", dialect: .pages, sender: .browser, isProvider: true,
            about: "The TV provider ends its session and sends the browser back.", source: "Wire protocol, logout"),
        ServiceStep(
            id: "logoutResponse", title: "Come back from the logout", dialect: .pages, sender: .browser,
            about: "The service sends the browser to the redirect URL of the app.", source: "Wire protocol, logout"),
        ServiceStep(
            id: "activate", title: "Type the code of a television", dialect: .pages, sender: .browser,
            about: "In production a page of the programmer: the viewer types the code and chooses a TV provider.",
            source: "Second screen flow"),
        ServiceStep(
            id: "sandbox", title: "Ask the sandbox about itself", dialect: .sandbox, sender: .app,
            about: "Facts for programs and tests; no real service has this.", source: "Documentation/Sandbox.md"),
        ServiceStep(
            id: "play", title: "Report a playback", dialect: .sandbox, sender: .app,
            about: "A client that is judged reports that it plays a resource; no real service has this.",
            source: "Documentation/Conformance.md"),
    ]
}
