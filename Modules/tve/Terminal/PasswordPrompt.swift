import Foundation
import TVEModels

/// A prompt that reads a password from the terminal without showing it.
///
/// The C library's `getpass` treats Ctrl-C as a part of the password. This prompt receives each byte as it is typed, so
/// that Ctrl-C ends the program after the terminal's settings are restored. So does a signal.
enum PasswordPrompt {
    /// Shows a prompt and reads a password.
    ///
    /// - Returns: the password, or `nil` if standard input is not a terminal or ended first.
    static func read(_ prompt: String) async -> String? {
        var found = termios()
        // Each of these calls only fills or reads the structure that it receives.
        guard isatty(STDIN_FILENO) == 1, unsafe tcgetattr(STDIN_FILENO, &found) == 0 else { return nil }
        let usual = found
        // A program that ends leaves the settings that it has found, so none may follow them.
        let settings = Lock()
        let interruptions = await Interruptions { number in
            settings.withLock {
                apply(usual)
                endProgram(by: number)
            }
        }
        defer { interruptions.end() }
        var quiet = usual
        quiet.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        settings.withLock { apply(quiet) }
        Terminal.write(prompt)
        let end = typed()
        apply(usual)
        Terminal.write("\n")
        switch end {
        case .line(let bytes): return String(decoding: bytes, as: UTF8.self)
        case .ended: return nil
        case .interrupted:
            endProgram(by: SIGINT)
            return nil
        }
    }

    private static func apply(_ settings: termios) {
        var settings = settings
        unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
    }

    /// Ends the program by a signal, so that its parent sees the cause.
    ///
    /// The default action is restored first, because a shell makes programs in the background ignore Ctrl-C.
    static func endProgram(by number: Int32) {
        signal(number, SIG_DFL)
        // Threads that run tasks block all signals, so the signal is unblocked.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
    }

    private enum End {
        case line([UInt8])
        case ended
        case interrupted
    }

    private static func typed() -> End {
        var bytes: [UInt8] = []
        while true {
            var byte: UInt8 = 0
            let count = unsafe Foundation.read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return .ended }
            switch byte {
            case 0x0A, 0x0D: return .line(bytes)
            case 0x03, 0x1C: return .interrupted
            case 0x04 where bytes.isEmpty: return .ended
            case 0x08, 0x7F:
                // A character of several bytes is deleted as a whole.
                while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
            case 0x15: bytes = []
            default: bytes.append(byte)
            }
        }
    }
}
