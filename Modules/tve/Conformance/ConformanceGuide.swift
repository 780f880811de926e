import Foundation
import TVEModels
import TVESandbox
import TVESandboxConsole

/// A task that the tester performs with the client.
struct ConformanceStep: Sendable {
    let name: String
    let text: String
    /// The fault that the sandbox simulates during the step, if any.
    var fault: SandboxWorld.Fault?
    /// Returns a Boolean value that indicates whether the exchanges since the step began show its completion.
    let isDone: @Sendable ([SandboxExchange]) -> Bool

    static let all = [
        ConformanceStep(name: "login", text: "Log in with the provider Demo Cable as viewer, password secret.") {
            seen in
            seen.contains { $0.isAt("profileOfCode") && $0.answerContains("notAfter") }
        },
        ConformanceStep(name: "play", text: "Play DEMO-1, stop, and play it again.") { seen in
            seen.count { $0.isAt("authorize") } >= 2
        },
        ConformanceStep(
            name: "denied", text: "The provider denies DEMO-2 now. Play DEMO-2.",
            fault: {
                var fault = SandboxWorld.Fault(.denied)
                fault.resource = "DEMO-2"
                return fault
            }()
        ) { seen in seen.contains { $0.isAt("authorize") && $0.answerContains("\"authorized\":false") } },
        ConformanceStep(name: "restart", text: "Close your app, start it again, and play DEMO-1.") { seen in
            seen.contains { $0.isAt("authorize") }
        },
        ConformanceStep(
            name: "throttle", text: "The service answers the next decision with 429. Play DEMO-1.",
            fault: .init(.throttled, step: "authorize", requests: 1)
        ) { seen in
            seen.contains { $0.status == 429 } && seen.last.map { $0.status != 429 } == true
        },
        ConformanceStep(name: "logout", text: "Log out.") { seen in seen.contains { $0.isAt("logout") } },
        ConformanceStep(
            name: "television",
            text: "If your client logs in on a second screen: get a code and type it at /activate. "
                + "Otherwise press Return."
        ) { seen in seen.contains { $0.isAt("profileOfCode") && $0.answerContains("notAfter") } },
    ]
}

extension SandboxExchange {
    fileprivate func isAt(_ step: String) -> Bool { facts.step == step && status == 200 }

    fileprivate func answerContains(_ text: String) -> Bool {
        String(decoding: answer.body, as: UTF8.self).containsBytes(of: text)
    }
}

/// A guide that leads the tester through the steps, and recognizes by the exchanges when a step is complete.
struct ConformanceGuide {
    let sandbox: Sandbox
    let steps: [ConformanceStep]

    private enum Event {
        case exchange(SandboxExchange), line, end
    }

    /// Goes through the steps.
    ///
    /// - Returns: `false` if the tester ended the guide before its last step was complete or skipped.
    func run() async throws -> Bool {
        let base = sandbox.baseURL.absoluteString
        drawAddress(base)
        let facts = [
            "", "Point your client at this service, and register it with this statement:", "", "  \(base)", "",
            "  \(sandbox.softwareStatement)", "",
            "Service provider DEMO; the console at \(base)/ shows every exchange.",
            "It refuses what is not documented, and says why here. "
                + "Return skips a step, and Ctrl-C ends the test and judges what was recorded.",
            "",
        ]
        for line in facts { Terminal.note(line) }
        let (events, send) = AsyncStream<Event>.makeStream()
        let watching = Task { [events = sandbox.events] in
            for await case .exchange(let exchange) in events { send.yield(.exchange(exchange)) }
        }
        defer { watching.cancel() }
        // Reading blocks, so it has a thread of its own, which ends with the program.
        Thread.detachNewThread {
            while readLine(strippingNewline: true) != nil { send.yield(.line) }
            // Ctrl-D ends the guide. Without a terminal nobody can press Return, and a client may still connect.
            if isatty(STDIN_FILENO) == 1 { send.yield(.end) }
        }
        let interruptions = await Interruptions { _ in send.yield(.end) }
        defer { interruptions.end() }
        var iterator = events.makeAsyncIterator()
        for (number, step) in steps.enumerated() {
            Terminal.note("Step \(number + 1) of \(steps.count), \(step.name): \(step.text)")
            guard try await perform(step, &iterator) else { return false }
        }
        return true
    }

    /// Draws the address for a client on a phone, or explains how to get one that a phone can reach.
    private func drawAddress(_ base: String) {
        guard let url = URL(string: base) else { return }
        if NetworkAddress.forPhones(url) == url {
            if let code = QRCode(base) { Terminal.draw(code.terminalLines) }
            return
        }
        let host = NetworkAddress.forPhones(url)?.host() ?? "ADDRESS"
        Terminal.note("This address is for clients on this machine. For a device in your network, use --host \(host).")
    }

    /// Performs a step and waits until it is complete or skipped.
    ///
    /// - Returns: `false` if the tester ended the guide.
    private func perform(_ step: ConformanceStep, _ events: inout AsyncStream<Event>.Iterator) async throws -> Bool {
        var world = sandbox.world
        world.faults = step.fault.map { [$0] } ?? []
        try sandbox.apply(world)
        let before = sandbox.exchanges.last?.id ?? 0
        while let event = await events.next() {
            switch event {
            case .end: return false
            case .line:
                Terminal.note("  skipped")
                return true
            case .exchange(let exchange):
                if let objection = exchange.objection {
                    Terminal.note("  refused, \(exchange.method) \(exchange.path): \(objection)")
                }
                let seen = sandbox.exchanges.filter { $0.id > before }
                guard step.isDone(seen) else { continue }
                Terminal.note("  seen, in \(Printer.count(seen.count, "exchange"))")
                return true
            }
        }
        return false
    }
}
