import TVEModels

/// A QR code as a picture for a page, dark on light in every colour scheme, as readers require.
enum QRPicture {
    static func svg(_ code: QRCode) -> String {
        // A border of four modules belongs to the code.
        let size = code.size + 8
        var path = ""
        for (row, line) in code.modules.enumerated() {
            for (column, isDark) in line.enumerated() where isDark { path += "M\(column + 4) \(row + 4)h1v1h-1z" }
        }
        return """
            <svg class="qr" viewBox="0 0 \(size) \(size)" role="img" aria-label="QR code of the activation page" shape-rendering="crispEdges">
            <rect width="\(size)" height="\(size)" fill="#fff"/><path d="\(path)" fill="#000"/></svg>
            """
    }
}
