/// The pages that a sandbox shows in a browser on its own machine, at `/` and below `/console`.
///
/// The module `TVESandboxConsole` provides the console:
///
/// ```swift
/// import TVESandboxConsole
/// let sandbox = try await Sandbox(pages: .console)
/// ```
public struct SandboxPages: Sendable {
    /// The closure that answers a request once ``LocalGate`` has accepted it.
    let answer: @Sendable (_ request: SandboxRequest, _ routes: SandboxRoutes) async -> SandboxReply

    /// Creates pages from the closure that answers their requests.
    ///
    /// - Parameter answer: the closure that answers a request to `/` or below `/console`.
    package init(answer: @escaping @Sendable (SandboxRequest, SandboxRoutes) async -> SandboxReply) {
        self.answer = answer
    }
}
