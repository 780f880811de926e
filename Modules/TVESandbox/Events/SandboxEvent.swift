/// What happens in a sandbox.
public enum SandboxEvent: Sendable {
    /// A request was answered.
    case exchange(SandboxExchange)
    /// Somebody changed something: world, faults, logins. One sentence says what, and names nobody.
    case change(String)
}
