/// Why a step of the demo failed, as one line.
struct ToolFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = Printer.clean(description)
    }
}
