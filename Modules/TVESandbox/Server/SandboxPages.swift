/// Pages that a sandbox shows in a browser on its own machine, besides the service: `/` and everything below `/console`.
///
/// The module `TVESandboxConsole` has the console:
///
/// ```swift
/// import TVESandboxConsole
/// let sandbox = try await Sandbox(pages: .console)
/// ```
public struct SandboxPages: Sendable {
    /// Answers a request that ``LocalGate`` has accepted.
    let answer: @Sendable (_ request: SandboxRequest, _ routes: SandboxRoutes) async -> SandboxReply

    /// - Parameter answer: answers a request to `/` or below `/console`.
    package init(answer: @escaping @Sendable (SandboxRequest, SandboxRoutes) async -> SandboxReply) {
        self.answer = answer
    }
}
