import Logging
import ServiceLifecycle
import TVERedisUses
import TVEVerification

/// Closes the connections to Redis when the service ends.
struct RedisService: Service {
    let uses: RedisMediaTokenUses
    /// What makes this Redis useless, whatever time passes; it ends with the first connection.
    let obstacles: AsyncStream<RedisUsesError>

    /// Waits for the end of the service.
    ///
    /// - Throws: the first obstacle, which ends the start.
    func run() async throws {
        for await obstacle in obstacles.cancelOnGracefulShutdown() {
            uses.close()
            throw obstacle
        }
        try? await gracefulShutdown()
        // Services end in reverse order: the server has answered its last request.
        uses.close()
    }
}

/// The first service to end: announces the shutdown, and gives clients time to go elsewhere.
struct DrainService: Service {
    let readiness: Readiness
    let delay: Double
    let logger: Logger

    func run() async throws {
        try? await gracefulShutdown()
        readiness.drain()
        logger.info("The service is shutting down.", metadata: ["delay": .stringConvertible(delay)])
        try? await Task.sleep(for: .seconds(delay))
    }
}
