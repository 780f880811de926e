import Crypto
import Foundation
import TVEModels

extension SandboxWorld.Fault {
    /// The id of a fault in the console; it does not change while its requests are counted down.
    var key: String {
        var fault = self
        fault.requests = nil
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let bytes = (try? encoder.encode(fault)) ?? Data()
        return String(SHA256.hash(data: bytes).hexadecimal.prefix(12))
    }
}
