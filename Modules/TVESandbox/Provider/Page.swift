import FlyingFox
import TVEModels

/// The HTML pages of the service and of the provider.
///
/// Every value in a page is escaped.
enum Page {
    /// Returns a page with a form that submits itself.
    ///
    /// The button is for browsers without scripts.
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

    /// Returns the provider's login page, with a message after a failed attempt.
    static func login(
        _ provider: SandboxWorld.Provider, requestID: String, relayState: String, name: String = "", message: String?
    ) -> HTTPResponse {
        page(
            "\(provider.displayName) login",
            """
            <h1>\(provider.displayName.escapedForXML)</h1>
            <p>Log in with your TV provider account.</p>
            \(message.map { "<p class=\"message\" role=\"alert\">\($0.escapedForXML)</p>" } ?? "")
            <form method="post" action="/idp/\(provider.id.text.escapedForPath)/login">
            \(hidden(["requestID": requestID, "RelayState": relayState]))
            <p><label>User name<br><input name="username" autocomplete="username" value="\(name.escapedForXML)"\(name.isEmpty ? " autofocus" : "")></label></p>
            <p><label>Password<br><input name="password" type="password" autocomplete="current-password"\(name.isEmpty ? "" : " autofocus")></label></p>
            <p><button type="submit" name="action" value="login">Log in</button>
            <button type="submit" name="action" value="cancel">Cancel</button></p>
            </form>
            """)
    }

    static func message(_ title: String, _ text: String) -> HTTPResponse {
        page(title, "<h1>\(title.escapedForXML)</h1>\n<p>\(text.escapedForXML)</p>")
    }

    /// Returns a page that explains why a request cannot continue.
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
            :root { color-scheme: light dark; --paper: #fff; --back: #f2f4f7; --ink: #16202c; --line: #566375; --accent: #1459b8; --bad: #b3261e }
            @media (prefers-color-scheme: dark) { :root { --paper: #171e27; --back: #10151c; --ink: #e4eaf2; --line: #a3b0c0; --accent: #7db7ff; --bad: #ff8a80 } }
            html { background: var(--back) } a { color: var(--accent) } h1 { font-size: 1.4em; margin: 0 0 .5em }
            body { font: 16px/1.5 system-ui, sans-serif; max-width: 32em; margin: 3em auto; padding: 1.2em 1.5em; color: var(--ink); background: var(--paper); border-radius: .6em }
            input, button { font: inherit; color: inherit; background: var(--paper); padding: .4em .6em; border: 1px solid var(--line); border-radius: .4em } input { width: 100%; box-sizing: border-box }
            code { background: var(--back); padding: .1em .3em; overflow-wrap: anywhere } .message { color: var(--bad) }
            th, td { text-align: left; padding: .2em 1em .2em 0; vertical-align: top }
            :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
            </style>
            </head>
            <body>
            <main>
            \(content)
            </main>
            </body>
            </html>

            """)
    }

    private static func hidden(_ fields: KeyValuePairs<String, String>) -> String {
        fields.map { "<input type=\"hidden\" name=\"\($0.key.escapedForXML)\" value=\"\($0.value.escapedForXML)\">" }
            .joined(separator: "\n")
    }
}
