import Foundation
import TVENetworking
import Testing

struct WebPageTests {
    @Test(
        arguments: [
            ("text/html", "", "text/html"), ("Text/HTML; charset=utf-8", "Log in", "text/html"),
            ("application/xhtml+xml", "<?xml version=\"1.0\"?>", "application/xhtml+xml"),
            (" application/xhtml+xml ;charset=utf-8", "", "application/xhtml+xml"),
            // The body of these begins with a byte order mark.
            ("text/plain", "\u{FEFF}<html>", "text/plain"), (nil, "\u{FEFF}\r\n\t <!DOCTYPE HTML>", "text/html"),
            ("no type", "<html>", "text/html"), ("application/xml", "<?xml version=\"1.0\"?>", nil),
            ("application/json", "{\"page\":\"<html>\"}", nil), (nil, "", nil),
        ] as [(String?, String, String?)])
    func isRecognized_byItsTypeOrItsBeginning(named: String?, body: String, type: String?) {
        #expect(WebPage.type(named, Data(body.utf8)) == type)
    }
}
