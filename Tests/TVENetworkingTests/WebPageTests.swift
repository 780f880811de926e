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
            // Pages of networks that want a login.
            (nil, "<head><meta http-equiv=\"refresh\">", "text/html"), (nil, "<BODY bgcolor=white>", "text/html"),
            (nil, "\n\n  <script>top.location='http://192.0.2.1'</script>", "text/html"),
            ("application/octet-stream", "<meta charset=utf-8>", "application/octet-stream"),
            (nil, "<title>Log in</title>", "text/html"),
            ("application/captive+json", "{\"captive\":true}", "application/captive+json"),
            // Answers of servers that state this type for all of them.
            ("text/html", "{\"profiles\":{}}", nil), ("text/html;charset=utf-8", "\u{FEFF}\n[]", nil),
            ("application/xhtml+xml", "{}", nil), ("text/html", "[ -1]", nil), ("text/html", "<p>{}</p>", "text/html"),
            ("text/html", "[Access denied]", "text/html"), ("text/html", "{% if page %}", "text/html"),
            ("text/html", "{", "text/html"),
            // Elements of answers, and a word for people that a service may send too.
            (nil, "<metadata/>", nil), ("text/xml", "<header>", nil), (nil, "head", nil), (nil, "<", nil),
            ("text/plain", "Bad Request", nil),
        ] as [(String?, String, String?)])
    func isRecognized_byItsTypeOrItsBeginning(named: String?, body: String, type: String?) {
        #expect(WebPage.type(named, Data(body.utf8)) == type)
    }
}
