import TVEFlowEngine
import TVEModels

extension AccessEnabler {
    /// Asks about the viewer or this device; ends with `setMetadataStatus`.
    ///
    /// - Parameter key: the question under ``METADATA_OPCODE_KEY``, with ``METADATA_RESOURCE_ID_KEY`` or
    ///   ``METADATA_USER_META_KEY`` where it needs one. It comes back with the answer.
    public func getMetadata(_ key: [AnyHashable: Any]?) {
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
