import TVEModels
import TVETestTraits
import TVETracking
import Testing

@Suite(.row("B7"))
struct TrackingEventTests {
    private let client = TrackedClient(
        RequestorConfiguration(
            deviceType: "mobile", clientType: "ios", operatingSystem: "iOS",
            requestor: Requestor(id: "SBX", name: "SBX", providers: [])))
    private let login = TrackedLogin(mvpdID: "cable", trackingID: "abc", isCached: true)

    @Test func hasFourTexts_forAProviderSelection() {
        let event = TrackingEvent.providerSelected(mvpdID: "cable")
        #expect(event.number == 2)
        #expect(event.data(client: client) == ["cable", "mobile", "ios", "iOS"])
    }

    @Test(.row("D-10")) func hasSevenTexts_forAuthentication() {
        #expect(TrackingEvent.authentication(login).number == 0)
        #expect(
            TrackingEvent.authentication(login).data(client: client) == [
                "true", "cable", "abc", "true", "mobile", "ios", "iOS",
            ])
        let fresh = TrackedLogin(mvpdID: "cable", trackingID: "abc", isCached: false)
        #expect(
            TrackingEvent.authentication(fresh).data(client: client) == [
                "true", "cable", "abc", "false", "mobile", "ios", "iOS",
            ])
        #expect(
            TrackingEvent.authentication(nil).data(client: client) == [
                "false", "None", "None", "None", "mobile", "ios", "iOS",
            ])
    }

    @Test func hasNineTexts_forAuthorization() {
        let granted = TrackingEvent.authorization(TrackedAuthorization(login: login))
        #expect(granted.number == 1)
        #expect(
            granted.data(client: client) == ["true", "cable", "abc", "true", "None", "None", "mobile", "ios", "iOS"])
        let denied = TrackingEvent.authorization(
            TrackedAuthorization(login: nil, error: "notAuthorized", details: "Buy it"))
        #expect(
            denied.data(client: client) == [
                "false", "None", "None", "None", "notAuthorized", "Buy it", "mobile", "ios", "iOS",
            ])
    }

    /// The sinks receive the provider's text for the viewer, and an event that is printed does not show it.
    @Test func printsNoTextForTheViewer() {
        let secret = "s3cr3t"
        let event = TrackingEvent.authorization(
            TrackedAuthorization(login: login, error: "notAuthorized", details: secret))
        var dumped = ""
        dump(event, to: &dumped)
        for text in [dumped, "\(event)", String(reflecting: event)] { #expect(!text.contains(secret)) }
        #expect("\(event)".contains("TrackedAuthorization(cable, notAuthorized)"), "\(event)")
        #expect(event.data(client: client).contains(secret))
        #expect("\(TrackedAuthorization(login: nil))" == "TrackedAuthorization(not logged in, authorized)")
    }

    @Test func hasItsDocumentedName() {
        #expect(TrackingEvent.providerSelected(mvpdID: "cable").name == "mvpdSelection")
        #expect(TrackingEvent.authentication(nil).name == "authenticationDetection")
        #expect(TrackingEvent.authorization(TrackedAuthorization(login: nil)).name == "authorizationDetection")
    }

    @Test func saysNone_forALoginWithoutAViewer() {
        let nobody = TrackedLogin(mvpdID: "cable", trackingID: "", isCached: true)
        #expect(
            TrackingEvent.authentication(nobody).data(client: client) == [
                "true", "cable", "None", "true", "mobile", "ios", "iOS",
            ])
    }

    @Test func saysNone_beforeTheConfigurationIsThere() {
        #expect(
            TrackingEvent.providerSelected(mvpdID: "cable").data(client: TrackedClient(nil)) == [
                "cable", "unknown", "None", "None",
            ])
    }
}
