import Logging
import ServiceLifecycle
import TVERedisUses
import TVEVerification

/// A service that closes the connections to Redis at the shutdown.
struct RedisService: Service {
    let uses: RedisMediaTokenUses
    /// The errors that make this Redis unusable permanently; the stream ends with the first connection.
    let obstacles: AsyncStream<RedisUsesError>

    /// Waits for the shutdown, and then closes the connections.
    ///
    /// - Throws: the first obstacle, which ends the program.
    func run() async throws {
        for await obstacle in obstacles.cancelOnGracefulShutdown() {
            uses.close()
            throw obstacle
        }
        try? await gracefulShutdown()
        // Services shut down in reverse order, so the server has already answered its last request.
        uses.close()
    }
}

/// The first service to shut down, which announces the shutdown and gives clients time to switch to another machine.
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
