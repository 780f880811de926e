import TVEFlowEngine
import TVEModels

extension ClassicCalls {
    func getMetadata(_ key: [AnyHashable: Any]?) {
        let question = MetadataQuestion(key)
        submitLong { [callbacks] session in
            var answer: Metadata?
            if let key = question.key { answer = (try? await session.metadata(key)).flatMap(\.self) }
            callbacks.metadata(answer, question)
        } orFail: { [callbacks] _ in
            callbacks.metadata(nil, question)
        }
    }
}
