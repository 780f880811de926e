#if VerificationService
import TVERedisUses
import TVETokenCodec

extension Error {
    /// Why a memory failed: the label of a counter.
    var verifierReason: String {
        switch self as? RedisUsesError {
        case .full: "full"
        case .timedOut: "timed-out"
        case .disconnected: "disconnected"
        case .notReplicated: "not-replicated"
        case .memoryLost: "memory-lost"
        case .overloaded: "overloaded"
        case nil: self is MemoryMediaTokenUses.Full ? "full" : "other"
        default: "unreachable"
        }
    }
}
#endif
