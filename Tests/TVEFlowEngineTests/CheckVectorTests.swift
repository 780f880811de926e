import TVETestTraits
import Testing

@testable import TVEFlowEngine

/// Check vectors (wire protocol, 16), as far as they are about flows.
struct CheckVectorTests {
    @Test(.row("wire protocol, 16")) func hashesTheGUID_forTracking() {
        let id = Logins.trackingID("00000000-1111-2222-3333-444444444444")
        #expect(id == "db41be7278059497304a7a408a6c303d")
    }

    @Test func hashesNothing_forALoginWithoutAGUID() {
        #expect(Logins.trackingID("").isEmpty)
    }

    @Test(.row("wire protocol, 16")) func hashesWhatAViewerGave_forAPromotionalPass() {
        let key = PromotionalKey("user@domain.com").hexadecimal
        #expect(key == "f7ee5ec7312165148b69fcca1d29075b14b8aef0b5048a332b18b88d09069fb7")
    }
}
