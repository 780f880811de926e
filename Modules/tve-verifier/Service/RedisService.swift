#if VerificationService
import ServiceLifecycle
import TVERedisUses

/// Closes the connections to Redis when the service ends.
struct RedisService: Service {
    let uses: RedisMediaTokenUses

    func run() async throws {
        try? await gracefulShutdown()
        // Services end in reverse order: the server has answered its last request.
        uses.close()
    }
}
#endif
