/// Why a step of the demo did not end as it should: one line for the person who runs it.
struct ToolFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = Printer.clean(description)
    }
}
