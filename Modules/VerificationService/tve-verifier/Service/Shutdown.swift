import Logging
import ServiceLifecycle
import TVERedisUses
import TVEVerification
import UnixSignals

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

/// The last service to shut down, which ignores SIGHUP.
///
/// Operators send the signal to make a program read its files again, and terminals send it when they close. By default,
/// the signal would end the service without a graceful shutdown. systemd would then not restart it, because it treats
/// this end as intended.
struct HangupService: Service {
    let logger: Logger

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            logger.info("\(Self.sentence)")
        }
    }

    private static let sentence =
        "SIGHUP is ignored. Key directories and callers' keys are read again without it; "
        + "a changed configuration needs a restart."
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
