import TVEModels
import TVETestTraits
import Testing

@testable import TVEFlowEngine

struct AuthenticationLadderTests {
    private static let login = AuthenticationToken(
        text: TokenText("t"),
        claims: AuthenticationToken.Claims(
            authenticationGUID: "g", requestorID: "r", expires: TokenDate(secondsSince1970: 2_000), mvpdID: "A",
            fingerprint: "f"))

    // Rows GA1, GA2, GA5, GA6, GA7, GA8 of the API reference.
    @Test(
        .row("CA4", "D-12", "GA1", "GA2", "GA5", "GA6", "GA7", "GA8"),
        arguments: [
            (
                "GA1", AuthenticationLadder(login: login, providers: ["A"]),
                AuthenticationLadder.Step.alreadyAuthenticated(login)
            ),
            ("GA1", .init(login: login, providers: []), .alreadyAuthenticated(login)),
            ("GA2", .init(login: login, isForced: true, providers: ["A"]), .chooseProvider),
            (
                "GA2",
                .init(login: login, isForced: true, providers: ["A"], remembered: "A", lastLoginSucceeded: true),
                .logInWith("A")
            ),
            ("GA5", .init(providers: ["A", "B"], remembered: "A", lastLoginSucceeded: true), .logInWith("A")),
            (
                "GA5", .init(providers: ["A", "B"], preselected: "B", remembered: "A", lastLoginSucceeded: true),
                .logInWith("B")
            ),
            ("GA5", .init(providers: ["A", "B"], preselected: "B"), .logInWith("B")),
            ("GA6", .init(providers: ["A"]), .chooseProvider),
            ("GA7", .init(providers: ["A"], remembered: "A", lastLoginSucceeded: false), .chooseProvider),
            ("CA4", .init(providers: ["B"], remembered: "A", lastLoginSucceeded: true), .chooseProvider),
            ("CA4", .init(providers: ["B"], preselected: "A"), .chooseProvider),
            ("GA8", .init(providers: []), .noProviders),
            (
                "D-12", .init(providers: ["A"], remembered: "A", lastLoginSucceeded: true, skipsPicker: false),
                .chooseProvider
            ),
            ("D-12", .init(providers: ["A", "B"], preselected: "B", skipsPicker: false), .logInWith("B")),
            (
                "TP10",
                .init(isForced: true, providers: ["A"], remembered: "A", remembersTempPass: true, skipsPicker: false),
                .logInWith("A")
            ),
        ])
    func takesTheFirstRowThatHolds(row: String, ladder: AuthenticationLadder, step: AuthenticationLadder.Step) {
        #expect(ladder.next == step, "\(row)")
    }
}
