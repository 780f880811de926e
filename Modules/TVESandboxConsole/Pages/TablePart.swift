import TVEModels
import TVESandbox

/// One page of the rows of a long table, with links to the other pages.
///
/// The address names the current part of each table, so that the parts stay the same when the content is reloaded.
struct TablePart<Row> {
    let rows: ArraySlice<Row>
    /// The links as HTML; empty if the table has only one part.
    let links: String

    /// Selects the rows that the address names.
    ///
    /// - Parameters:
    ///   - rows: all rows.
    ///   - name: the name of the table, which is the field of the query and the id to which the links lead.
    ///   - query: the query of the page's address.
    ///   - size: the number of rows of a part.
    init(_ rows: [Row], name: String, query: FormFields, size: Int = 20) {
        let last = max(0, (rows.count - 1) / size)
        let number = min(max(0, query[name].flatMap { Int($0) } ?? 0), last)
        self.rows = rows.dropFirst(number * size).prefix(size)
        guard last > 0 else {
            links = ""
            return
        }
        func link(_ part: Int, _ title: String) -> String {
            let others = query.fields.filter { !$0.name.isSameBytes(as: name) }
            let fields = (others + [(name: name, value: "\(part)")])
                .map { "\($0.name.escapedForPath)=\($0.value.escapedForPath)" }
            return "<a href=\"?\(fields.joined(separator: "&amp;"))#\(name)\">\(title)</a>"
        }
        let first = number * size + 1
        let ways = [
            number > 0 ? link(0, "First") : nil, number > 0 ? link(number - 1, "Previous") : nil,
            number < last ? link(number + 1, "Next") : nil, number < last ? link(last, "Last") : nil,
        ].compactMap(\.self)
        let text = "\(first) to \(first + self.rows.count - 1) of \(rows.count)"
        links = "<p class=\"pages\">\(([text] + ways).joined(separator: " "))</p>"
    }
}
