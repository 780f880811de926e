import TVEFlowEngine
import TVEModels

/// The platform sign-on of one app, whose account belongs to the device.
@available(macOS 15, iOS 18, tvOS 18, *)
final class WalkPlatform: PlatformSignOn {
    /// The viewer's account at the platform.
    final class Account: Sendable {
        private let provider = Guarded<String?>(nil)
        var providerID: String? {
            get { provider.withLock(\.self) }
            set { provider.withLock { $0 = newValue } }
        }
    }

    private final class Dialog: Sendable {}

    private struct Waiting {
        var count = 0
        var choices: [Int: CheckedContinuation<Result<String, PlatformSignOnError>, Never>] = [:]
    }

    private let account: Account
    private let pause: WalkPause
    private let waiting = Guarded(Waiting())

    init(_ account: Account, _ pause: WalkPause) {
        self.account = account
        self.pause = pause
    }

    /// Lets the viewer choose in the platform's dialog, or leave it.
    func choose(_ choice: Result<String, PlatformSignOnError>) {
        if case .success(let id) = choice { account.providerID = id }
        let choices = waiting.withLock { waiting in
            defer { waiting.choices = [:] }
            return waiting.choices
        }
        for (_, waiting) in choices.sorted(by: { $0.key < $1.key }) { waiting.resume(returning: choice) }
    }

    func access(mayAsk: Bool) async -> PlatformAccess {
        await pause()
        return .granted
    }

    func account(
        _ request: PlatformAccountRequest, presenter: (any AuthenticationPresenter)?
    ) async throws(PlatformSignOnError) -> PlatformAccount {
        await pause()
        var id = account.providerID
        if id == nil {
            guard request.mayInterrupt, let presenter else { throw .notSignedIn }
            let dialog = PlatformDialog(Dialog())
            await onMainActor { presenter.presentPlatformDialog(dialog) }
            let choice = await choice()
            await pause()
            await onMainActor { presenter.dismissPlatformDialog(dialog) }
            id = try choice.get()
        }
        guard let id else { throw .notSignedIn }
        let answer = request.samlRequest.map {
            "<Response InResponseTo=\"\($0.escapedForXML)\"><NameID>viewer</NameID></Response>"
        }
        return PlatformAccount(providerID: id, samlResponse: answer)
    }

    /// Runs an action on the main thread, which is that of the walk, as the framework calls its delegate.
    private func onMainActor(_ action: @escaping @MainActor @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            SerialLoop.shared.onWalksThread {
                MainActor.assumeIsolated { action() }
                continuation.resume()
            }
        }
    }

    private func choice() async -> Result<String, PlatformSignOnError> {
        let number = waiting.withLock { waiting in
            waiting.count += 1
            return waiting.count
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting.withLock { $0.choices[number] = continuation }
                if Task.isCancelled { leave(number) }
            }
        } onCancel: {
            leave(number)
        }
    }

    private func leave(_ number: Int) {
        waiting.withLock { $0.choices.removeValue(forKey: number) }?.resume(returning: .failure(.cancelled))
    }
}
