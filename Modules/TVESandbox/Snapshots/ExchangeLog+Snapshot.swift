import Foundation
import TVEModels

/// The record of exchanges in the form that a snapshot contains.
struct KeptLog: Codable {
    let exchanges: [KeptExchange]
    let arrived: Int
    let flows: FlowIndex
    let marks: [ExchangeLog.Mark]
}

extension ExchangeLog {
    /// The answered exchanges that are not hidden, with their flows and marks, for a snapshot.
    var kept: KeptLog {
        let record = state.withLock { state in
            (exchanges: state.shown(), arrived: state.arrived, flows: state.flows, marks: state.marks)
        }
        return KeptLog(
            exchanges: record.exchanges.map(KeptExchange.init), arrived: record.arrived, flows: record.flows,
            marks: record.marks)
    }

    /// Replaces the record with that of a snapshot.
    ///
    /// Requests in flight stay, and new numbers are greater than all earlier ones.
    func replace(with kept: KeptLog) {
        let exchanges = kept.exchanges.suffix(Self.maximumCount).map { SandboxExchange($0) }
        state.withLock { state in
            let open = Set(state.open.map(\.id))
            state.exchanges = exchanges.filter { !open.contains($0.id) }
            state.first = 0
            state.bytes = state.exchanges.reduce(0) { $0 + $1.bytes }
            state.arrived = max(state.arrived, kept.arrived)
            // The answers that are being sent now belong to the replaced record.
            state.answered += state.exchanges.count
            state.cleared = state.answered - state.exchanges.count
            state.clearedBefore = state.cleared
            state.unread = 0
            state.flows = kept.flows
            state.marks = kept.marks
            state.revision.exchanges += 1
        }
    }
}
