import FlyingFox
import Foundation
import TVEModels
import TVESandbox

/// The endpoints for snapshots in the directory of `tve sandbox --state`.
extension ConsoleAPI {
    /// The name of the snapshot in which a restore saves the state that it replaces.
    static let beforeRestore = "before the last restore"

    func snapshots() -> HTTPResponse {
        struct Report: Encodable {
            let name: String
            let saved: Int64
            let bytes: Int
        }
        return .json(
            (routes.folder?.snapshots ?? []).map {
                Report(name: $0.name, saved: $0.saved.milliseconds, bytes: $0.bytes)
            })
    }

    func saveSnapshot(_ request: SandboxRequest) throws(JSONFormError) -> HTTPResponse {
        let name = try SnapshotForm(form: request.body).name
        guard let folder = routes.folder else { return Self.noFolder }
        guard SandboxFolder.isName(name) else {
            let rule = "A snapshot has a name of up to 60 letters, digits, spaces, dots, hyphens and underscores."
            return .problems([rule], status: 400)
        }
        let failure = folder.saving.withLock { () -> HTTPResponse? in
            guard !folder.contains(name) else {
                return .problems(["There is a snapshot with this name already."], status: 400)
            }
            guard folder.snapshots.count < SandboxFolder.maximumCount else {
                return .problems(["There are too many snapshots; delete one first."], status: 400)
            }
            return written { () throws(SandboxFolderError) in try folder.save(routes.snapshot(), as: name) }
        }
        return failure ?? changed(true, "A snapshot was saved.")
    }

    func restoreSnapshot(_ name: String) -> HTTPResponse {
        guard let folder = routes.folder, folder.contains(name) else { return changed(false, "") }
        let failure = written { () throws(SandboxFolderError) in
            let snapshot = try folder.snapshot(name)
            // Save the current state, so that a restore can be undone.
            try folder.save(routes.snapshot(), as: Self.beforeRestore)
            // A world was valid when it was saved, and the numbers that earlier versions did not check are corrected.
            // So only a newer version of the sandbox can have saved a world that is invalid here.
            do throws(SandboxWorldError) { try routes.restore(snapshot) } catch { throw .newer(name) }
        }
        if let failure { return failure }
        routes.log.mark("The snapshot \"\(name)\" was restored.", at: routes.state.now)
        return .status(204)
    }

    func deleteSnapshot(_ name: String) -> HTTPResponse {
        guard let folder = routes.folder, folder.contains(name) else { return changed(false, "") }
        return written { () throws(SandboxFolderError) in try folder.remove(name) }
            ?? changed(true, "A snapshot was deleted.")
    }

    /// Performs work on the snapshot files and returns its error as an answer, or `nil` if the work succeeded.
    private func written(_ work: () throws(SandboxFolderError) -> Void) -> HTTPResponse? {
        do throws(SandboxFolderError) {
            try work()
            return nil
        } catch {
            return .problems(["\(error)"], status: 400)
        }
    }

    private static let noFolder = HTTPResponse.problems(
        ["This sandbox has no directory for snapshots: start it with --state."], status: 400)
}

private struct SnapshotForm: JSONForm {
    static let shape = JSONShape(SnapshotForm(name: "name"))

    let name: String
}
