/// What happens in a sandbox.
public enum SandboxEvent: Sendable {
    /// A request was answered.
    case exchange(SandboxExchange)
    /// World, faults or logins were changed. One sentence says what, without names.
    case change(String)
}
