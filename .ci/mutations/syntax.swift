// Writes the syntax trees of the sources in a JSON list, with the SwiftSyntax that is a part of the toolchain.
//
// A node is its role, its kind, its first byte, the byte after its last, and its nodes. Only two kinds of tokens are
// there; the text has all.
import Foundation
import SwiftOperators
import SwiftParser
@_spi(RawSyntax) import SwiftSyntax

/// Looking for a role takes longer than parsing.
nonisolated(unsafe) var roles: [AnyKeyPath: String] = [:]

func role(of node: Syntax) -> String {
    guard let path = node.keyPathInParent else { return "" }
    let role = roles[path] ?? childName(path) ?? ""
    roles[path] = role
    return role
}

func tree(_ node: Syntax) -> [Any]? {
    let role = role(of: node)
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
