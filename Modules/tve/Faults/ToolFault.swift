import ArgumentParser

/// A fault that this tool finds, such as a wrong argument or a file that cannot be read.
///
/// `ErrorTextsTests` lists the texts of all faults in `Documentation/ErrorTexts.md`.
protocol ToolFault: CustomStringConvertible, Sendable {
    /// The sentence about what was found, and the advice about what to do.
    var sentences: (found: String, advice: String) { get }
}

extension ToolFault {
    /// The sentence about what was found, followed by the advice.
    var description: String {
        let (found, advice) = sentences
        return "\(found) \(advice)"
    }
}

extension ToolFailure {
    /// Creates the failure of a command that found a fault.
    init(_ fault: some ToolFault, code: ExitCode = .failure) {
        self.init(fault.description, code: code)
    }

    /// Creates the failure of a command that cannot read, use or write a file.
    init(_ fault: FileFault, code: ExitCode = .unknown) {
        self.init(fault.description, code: code)
    }
}

extension ValidationError {
    /// Creates the error for a fault of the command line, which is printed with the usage of the command.
    init(_ fault: some ToolFault) {
        self.init(fault.description)
    }
}
