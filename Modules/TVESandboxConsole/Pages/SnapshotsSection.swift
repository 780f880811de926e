import Foundation
import TVEModels
import TVESandbox

/// A section in which a tester saves, restores and deletes snapshots.
enum SnapshotsSection {
    static func html(_ routes: SandboxRoutes) -> String {
        """
        <section aria-labelledby="snapshots"><h2 id="snapshots">Snapshots</h2>
        \(routes.folder.map(content) ?? "<p class=\"quiet\">This sandbox forgets everything when it stops. Started with <code>tve sandbox --state DIRECTORY</code> it goes on with its state, and snapshots of world, logins and exchanges can be saved here.</p>")
        </section>
        """
    }

    private static func content(_ folder: SandboxFolder) -> String {
        let rows = folder.snapshots.map { entry in
            let name = entry.name.escapedForXML
            let path = entry.name.escapedForPath
            return """
                <tr><td data-label="Name">\(name)</td><td data-label="Saved">\(ExchangeRow.date(entry.saved))</td><td data-label="Size">\(max(1, entry.bytes / 1_000)) KB</td>
                <td data-label="Actions"><button type="button" data-api="POST /console/api/snapshots/\(path)/restore" data-done="The snapshot was restored; what was there before is saved too." aria-label="Restore the snapshot \(name)">Restore</button>
                <button type="button" data-api="DELETE /console/api/snapshots/\(path)" data-done="The snapshot was deleted." aria-label="Delete the snapshot \(name)">Delete</button></td></tr>
                """
        }
        let table =
            rows.isEmpty
            ? "<p class=\"quiet\">There is no snapshot yet.</p>"
            : """
            <div class="wide"><table class="cells"><caption class="unseen">Snapshots</caption><thead><tr><th scope="col">Name</th><th scope="col">Saved</th><th scope="col">Size</th><th scope="col">Actions</th></tr></thead><tbody>\(rows.joined(separator: "\n"))</tbody></table></div>
            """
        return """
            <p class="quiet">World, faults, logins, codes, exchanges, clock and notes as they are now, in <code>\(folder.path.escapedForXML)</code>.</p>
            <form class="actions" id="snapshot-form" data-api="POST /console/api/snapshots" data-done="The snapshot was saved.">
            <label>Name <input name="name" maxlength="60" required autocomplete="off"></label><button>Save a snapshot</button></form>
            \(table)
            """
    }
}
