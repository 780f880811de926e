#if VerificationService
import Logging
import Metrics
import ServiceLifecycle
import TVERedisUses

/// Keeps an eye on Redis while the service runs, and closes its connections when nobody asks any more.
struct RedisService: Service {
    let uses: RedisMediaTokenUses
    let logger: Logger
    let metrics: any MetricsFactory

    func run() async throws {
        let gauge = Meter(label: "tve_memory_connected", factory: metrics)
        await cancelWhenGracefulShutdown {
            var wasConnected: Bool?
            var failure: RedisUsesError?
            while !Task.isCancelled {
                let isConnected = uses.isConnected
                gauge.set(isConnected ? 1 : 0)
                if isConnected, wasConnected != true { logger.info("Redis is connected.") }
                if !isConnected, let found = uses.failure, found != failure {
                    logger.error("Redis is away. \(found)")
                    failure = found
                }
                if isConnected { failure = nil }
                wasConnected = isConnected
                guard (try? await Task.sleep(for: .milliseconds(200))) != nil else { return }
            }
        }
        // Services end in the reverse order: the server is done by now.
        uses.close()
    }
}
#endif
