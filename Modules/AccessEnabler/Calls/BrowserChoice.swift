/// Who shows a page, and in which browser (API reference, rows SV1 to SV6).
enum BrowserChoice: Equatable {
    /// The app, in a web view: `navigate(toUrl:)`.
    case webViewOfApp
    /// The app, in Safari: `navigate(toUrl:useSVC:)`.
    case safariOfApp
    /// This library, in Safari: no callback.
    case automatic

    /// Chooses.
    ///
    /// - Parameters:
    ///   - needsSafari: whether the provider needs Safari.
    ///   - appDrivesSafari: whether the app said so with `handleSVC`.
    ///   - hasAutomatic: whether there is a browser that this library can show.
    init(needsSafari: Bool, appDrivesSafari: Bool, hasAutomatic: Bool) {
        switch (needsSafari, appDrivesSafari, hasAutomatic) {
        case (false, _, _), (true, false, false): self = .webViewOfApp
        case (true, true, _): self = .safariOfApp
        case (true, false, true): self = .automatic
        }
    }
}
