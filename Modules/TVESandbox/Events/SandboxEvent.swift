/// An event of a sandbox.
public enum SandboxEvent: Sendable {
    /// A request was answered.
    case exchange(SandboxExchange)
    /// World, faults or logins were changed; with one sentence about it, without names.
    case change(String)
}
