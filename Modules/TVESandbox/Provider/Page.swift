import FlyingFox
import TVEModels

/// The HTML pages of service and provider.
///
/// Every value in a page is escaped.
enum Page {
    /// A form that submits itself; the button is for browsers without scripts.
    static func autoPost(to address: String, _ fields: KeyValuePairs<String, String>, _ button: String) -> HTTPResponse
    {
        page(
            "One moment",
            """
            <form method="post" action="\(address.escapedForXML)">
            \(hidden(fields))
            <p>You are being redirected.</p>
            <p><button type="submit">\(button.escapedForXML)</button></p>
            </form>
            <script>document.forms[0].submit()</script>
            """)
    }

    /// The provider's login page, with a message after a failed attempt.
    static func login(
        _ provider: SandboxWorld.Provider, requestID: String, relayState: String, message: String?
    ) -> HTTPResponse {
        page(
            "\(provider.displayName) login",
            """
            <h1>\(provider.displayName.escapedForXML)</h1>
            <p>Log in with your TV provider account.</p>
            \(message.map { "<p class=\"message\" role=\"alert\">\($0.escapedForXML)</p>" } ?? "")
            <form method="post" action="/idp/\(provider.id.text.escapedForPath)/login">
            \(hidden(["requestID": requestID, "RelayState": relayState]))
            <p><label>User name<br><input name="username" autocomplete="username" autofocus></label></p>
            <p><label>Password<br><input name="password" type="password" autocomplete="current-password"></label></p>
            <p><button type="submit" name="action" value="login">Log in</button>
            <button type="submit" name="action" value="cancel">Cancel</button></p>
            </form>
            """)
    }

    static func message(_ title: String, _ text: String) -> HTTPResponse {
        page(title, "<h1>\(title.escapedForXML)</h1>\n<p>\(text.escapedForXML)</p>")
    }

    /// A page for a request that cannot continue, with status 400.
    static func failure(_ text: String, status: Int = 400) -> HTTPResponse {
        var response = message("This does not work", text)
        response.statusCode = HTTPResponse.status(status).statusCode
        return response
    }

    static func page(_ title: String, _ content: String) -> HTTPResponse {
        .html(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(title.escapedForXML)</title>
            <style>
            body { font: 16px/1.5 system-ui, sans-serif; max-width: 34em; margin: 3em auto; padding: 0 1em; color: #222 }
            input, button { font: inherit; padding: .4em .6em } input { width: 100%; box-sizing: border-box }
            code { background: #eee; padding: .1em .3em; overflow-wrap: anywhere } .message { color: #a00 }
            th, td { text-align: left; padding: .2em 1em .2em 0; vertical-align: top }
            </style>
            </head>
            <body>
            \(content)
            </body>
            </html>

            """)
    }

    private static func hidden(_ fields: KeyValuePairs<String, String>) -> String {
        fields.map { "<input type=\"hidden\" name=\"\($0.key.escapedForXML)\" value=\"\($0.value.escapedForXML)\">" }
            .joined(separator: "\n")
    }
}
