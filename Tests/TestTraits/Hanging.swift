public import Testing

// These limits only end what hangs. They are far longer than the slowest machine needs: a shorter limit fails where many
// tests share one busy core.

extension TimeLimitTrait.Duration {
    /// What a test takes that hangs, including the wait for its turn.
    public static var hanging: Self { .minutes(60) }
}

extension Duration {
    /// What one exchange, callback or program takes that hangs.
    public static var hanging: Self { .seconds(600) }
}
