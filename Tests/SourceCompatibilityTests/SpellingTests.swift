import AccessEnabler
import TVETestTraits
import Testing

// There is no other import, because the original's header imported Foundation.

/// The spellings in which existing apps use the classic API's types, in their own language mode.
@Suite(.fewAtATime)
struct SpellingTests {
    @Test(.row("CO3")) func comparesProviders_byTheirIDs() {
        let cable = MVPD(id: "a", displayName: "A", logoURL: "")
        let fiber = MVPD(id: "b", displayName: "B", logoURL: "")
        let later = MVPD(id: "a", displayName: "A, renamed", logoURL: "https://example.com/a.png")
        let list = [cable, fiber]
        #expect(list.contains(later))
        #expect(list.firstIndex(of: fiber) == 1)
        #expect(Set([cable, later, fiber]).count == 2)
        #expect(later.isEqual(cable) && !cable.isEqual(fiber) && !cable.isEqual("a"))
        // The two texts look the same to a reader and have different bytes for a service.
        #expect(MVPD(id: "\u{E9}", displayName: "", logoURL: "") != MVPD(id: "e\u{301}", displayName: "", logoURL: ""))
        let any: [Any]! = list
        #expect((any as? [MVPD])?.map(\.displayName) == ["A", "B"])
        #expect("\(cable)" == "MVPD(a, A)" && cable.toString() == cable.description)
    }

    @Test(.row("CO2")) func letsTestsMakeAnswers() {
        let error = Status(
            status: 403, code: "denied", message: "Denied.", details: "Not in your plan.", trace: "t-1", action: "none")
        let words: [String?] = [
            error.getCode(), error.getMessage(), error.getHelpUrl(), error.getTrace(), error.getAction(),
        ]
        #expect(words == ["denied", "Denied.", nil, "t-1", "none"])
        let response = PreauthorizeResponse(decisions: [
            Decision(id: "one", isAuthorized: true), Decision(id: "two", isAuthorized: false, error: error),
        ])
        #expect(response.getStatus() == nil)
        #expect(response.getDecisions().map { $0.isAuthorized() } == [true, false])
        #expect(response.getDecisions().last?.getError()?.getDetails() == "Not in your plan.")
        #expect(PreauthorizeResponse(status: error).getStatus()?.getStatus() == 403)
    }

    @Test(.row("A7")) func hasEveryConstant_asAMemberToo() {
        #expect(AccessEnabler.PROVIDER_NOT_SELECTED_ERROR == PROVIDER_NOT_SELECTED_ERROR)
        #expect(AccessEnabler.TRACKING_GET_SELECTED_PROVIDER == TRACKING_GET_SELECTED_PROVIDER)
        #expect(AccessEnabler.METADATA_OPCODE_KEY == "opCode" && AccessEnabler.CLIENT_TYPE == CLIENT_TYPE)
    }

    /// Both labels that the seed documents print, and optional values.
    @available(*, deprecated)
    func compiles(requestor: String?, signed: String?, endpoints: [Any]?, options: [AnyHashable: Any]?) {
        let enabler = AccessEnabler(signed)
        enabler.setOptions(options)
        enabler.setRequestor(requestor)
        enabler.setRequestor(requestor, serviceProviders: endpoints)
        enabler.setRequestor(requestor, setSignedRequestorId: signed)
        enabler.setRequestor(requestor, setSignedRequestorId: signed, serviceProviders: endpoints)
        enabler.setRequestor(requestor, setSignedRequestorId: signed, secret: signed, publicKey: signed)
        enabler.setRequestor(
            requestor, setSignedRequestorId: signed, serviceProviders: endpoints, secret: signed, publicKey: signed)
        enabler.setRequestor(requestor, signedRequestorID: signed)
        enabler.setRequestor(requestor, signedRequestorID: signed, serviceProviders: endpoints)
        enabler.setRequestor(requestor, signedRequestorID: signed, secret: signed, publicKey: signed)
        enabler.setRequestor(
            requestor, signedRequestorID: signed, serviceProviders: endpoints, secret: signed, publicKey: signed)
        _ = AccessEnabler(storageCheck: IntegrityCheckType.INTEGRITY_CHECK_ALL, softwareStatement: signed)
        _ = AccessEnabler()
        // Filters of version 2.
        enabler.getAuthentication(["one", "two"])
        enabler.getAuthentication(true, withData: options, andFilter: ["one", "two"])
        enabler.getAuthenticationToken()
    }

    @Test(.row("A6")) func readsEveryProperty_ofAProvider() {
        let mvpd = MVPD(id: "a", displayName: "A", logoURL: "https://example.com/a.png", tempPass: true)
        let texts: [String?] = [
            mvpd.id, mvpd.displayName, mvpd.logoURL, mvpd.boardingStatus, mvpd.spUrl, mvpd.platformMappingId,
        ]
        #expect(texts == ["a", "A", "https://example.com/a.png", nil, nil, nil])
        #expect(mvpd.tempPass && mvpd.passiveAuthnEnabled)
        #expect(!MVPD(id: "a", displayName: "A", logoURL: "").tempPass)
        #expect(!mvpd.enablePlatformServices && !mvpd.displayInPlatformPicker && !mvpd.hasAuthNPerRequestor)
        #expect(mvpd.requiredMetadataFields.isEmpty)
    }

    @Test(.row("CO1")) func canBeSubclassed_byAMock() {
        let mock = MockEnabler("")
        let enabler: AccessEnabler = mock
        enabler.setRequestor("DEMO")
        enabler.getAuthentication()
        enabler.checkAuthorization("DEMO-1")
        #expect(mock.calls == ["setRequestor DEMO", "getAuthentication", "checkAuthorization DEMO-1"])
    }

    @Test func takesImportsFromTheFacade() {
        #expect(URL(string: ADOBEPASS_REDIRECT_URL)?.scheme == "adobepass")
    }
}

/// A mock as apps write it.
private final class MockEnabler: AccessEnabler, @unchecked Sendable {
    var calls: [String] = []

    override func setRequestor(_ requestorID: String?) { calls.append("setRequestor \(requestorID ?? "")") }
    override func getAuthentication() { calls.append("getAuthentication") }
    override func checkAuthorization(_ resource: String?) { calls.append("checkAuthorization \(resource ?? "")") }

    /// The bare name refers to the constant here too.
    func refuse() {
        delegate?.setAuthenticationStatus(ACCESS_ENABLER_STATUS_ERROR, errorCode: GENERIC_AUTHENTICATION_ERROR)
    }
}
