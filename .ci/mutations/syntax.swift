// Writes the syntax trees of the sources in a JSON list, with the SwiftSyntax of the toolchain. A node is its role, its
// kind, its first byte, the byte after its last, and its nodes. Only two kinds of tokens are there; the text has all.
import Foundation
import SwiftOperators
import SwiftParser
@_spi(RawSyntax) import SwiftSyntax

/// The roles that are known: to look for one takes longer than to parse.
nonisolated(unsafe) var roles: [AnyKeyPath: String] = [:]

func tree(_ node: Syntax) -> [Any]? {
    let path = node.keyPathInParent
    let role = path.flatMap { roles[$0] ?? childName($0) } ?? ""
    if let path { roles[path] = role }
    if node.is(TokenSyntax.self), !["name", "accessorSpecifier"].contains(role) { return nil }
    return [
        role, "\(node.kind)", node.positionAfterSkippingLeadingTrivia.utf8Offset,
        node.endPositionBeforeTrailingTrivia.utf8Offset, node.children(viewMode: .sourceAccurate).compactMap(tree),
    ]
}

let sources = try JSONDecoder().decode([String].self, from: FileHandle.standardInput.readDataToEndOfFile())
let trees = sources.map { source in
    let file = Parser.parse(source: source)
    precondition(!file.hasError, "This is not Swift: \(source)")
    return tree(OperatorTable.standardOperators.foldAll(file) { _ in })
}
FileHandle.standardOutput.write(try JSONSerialization.data(withJSONObject: trees))
