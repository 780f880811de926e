/// A generator of random numbers that are the same in every run.
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Creates a generator, whose numbers depend only on the seed.
    public init(seed: UInt64) {
        state = seed &+ 0x9E37_79B9_7F4A_7C15
    }

    /// Returns the next number, computed with xorshift.
    public mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
