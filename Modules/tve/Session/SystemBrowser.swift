import Foundation

/// This machine's browser.
enum SystemBrowser {
    /// Whether there is one.
    static var isThere: Bool { program != nil }

    /// The program that opens pages; nil when there is none.
    private static var program: String? {
        #if os(macOS)
        let names = ["/usr/bin/open"]
        #else
        // Without a display the opener would start a browser in the terminal, or none.
        let environment = ProcessInfo.processInfo.environment
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return nil }
        let names = ["/usr/bin/xdg-open", "/usr/local/bin/xdg-open"]
        #endif
        return names.first(where: FileManager.default.isExecutableFile)
    }

    /// Opens a page.
    ///
    /// - Returns: whether there is a browser.
    static func open(_ url: URL) -> Bool {
        guard let program else { return false }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [url.absoluteString]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return (try? process.run()) != nil
    }
}
