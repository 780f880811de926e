import TVEVerification

/// A mistake that a configuration, or a file that it names, can have.
///
/// A problem never contains the value of a field, which may be a password.
enum ConfigurationProblem: Sendable, Hashable {
    // MARK: The file as a whole

    /// The configuration cannot be read.
    case unreadable
    /// The configuration is longer than a limit, in bytes.
    case tooLong(limit: Int)
    /// The configuration is not text.
    case notUTF8
    /// The configuration is not YAML, of which JSON is a part.
    case notYAML
    /// A line of the configuration is indented with a tab, which YAML does not allow.
    case tabInIndentation
    /// The configuration has a second document of YAML, which may be empty.
    case secondDocument
    /// A map has some fields more than once.
    case repeatedFields([String])
    /// The configuration has no content.
    case empty

    // MARK: A value of any field

    /// No field with this name is known in its place.
    case unknownField(known: [String])
    /// The value is not a map, which the field needs.
    case notAMap
    /// The value is not a list, which the field needs.
    case notAList
    /// The value is empty, null, or not a scalar.
    case notText
    /// The text is longer than a limit, in bytes, or has a NUL.
    case unusableText(limit: Int)
    /// The value is not a Boolean.
    case notABoolean
    /// The value is not a whole number in a range.
    case notAWholeNumber(ClosedRange<Int>)
    /// The value is not a number of seconds in a range.
    case notSeconds(ClosedRange<Double>)
    /// The value is none of the known words.
    case notAWord(known: [String])
    /// The value cannot be used, for a reason without a case of its own.
    case unusable
    /// A file or directory that the field names cannot be read.
    case unreadableFile(path: String)
    /// The field for the name of a file may contain the secret itself, because there is no such file.
    case noFile
    /// Another user can change the configuration or a file that it names, or can read a secret.
    case untrusted(FileTrust.Problem)

    // MARK: Requestors and their keys

    /// The configuration has no field for requestors.
    case requestorsMissing
    /// The list of requestors is empty.
    case noRequestor
    /// A requestor has no id.
    case idMissing
    /// The id of a requestor contains a blank or an invisible character, so that no caller would send the same id.
    case blankInID
    /// The id of a requestor is in quotation marks, which are a part of it.
    case quotedID
    /// Two requestors have the same id.
    case repeatedID
    /// A requestor has neither keys nor a directory of keys.
    case keysMissing
    /// A file with a key, or a directory of keys, has a problem.
    case key(KeyDirectory.Problem)
    /// Two files that the configuration names lead to the same name of a key.
    case sameKeyName(String, files: [String])
    /// The path of a key directory is that of a file.
    case notADirectory
    /// A key directory contains no file whose name is that of a key.
    case noKeyInDirectory
    /// A key directory contains files whose names are not those of keys, which is not a mistake.
    case passedOver([String])

    // MARK: Callers, and how they connect

    /// The text is not an address on which a service can listen.
    case notAListenAddress
    /// The configuration does not say who may ask.
    case callersMissing
    /// The configuration does not name exactly one kind of callers.
    case notOneKindOfCallers
    /// The only kind of callers is switched off.
    case callersOff
    /// The file of callers' keys has a problem.
    case callers(CallerKeyFile.Problem)
    /// Every program would be admitted, and not only those of this machine.
    case anyoneBeyondLoopback
    /// Callers are known by their certificates, and nothing says who signs these.
    case clientAuthorityMissing
    /// The keys of callers would be sent over a network without encryption.
    case keysInPlaintext
    /// The field that allows keys without encryption stands beside callers without keys.
    case plaintextWithoutKeys
    /// The service has no certificate, or no private key.
    case certificateOrKeyMissing
    /// A file with a certificate or a private key has a problem.
    case tls(TLSFiles.Problem)

    // MARK: The memory

    /// A field has no effect on a memory in Redis.
    case fieldWithRedis(String)
    /// An environment variable overrides a field of a memory in Redis, and the file has no such memory.
    case variableWithoutRedis
    /// No server of Redis is named.
    case serversMissing
    /// The text is not the address of a server of Redis.
    case notARedisAddress
    /// The value of the environment variable is not a list of such addresses.
    case notRedisAddresses
    /// There is a user name without a password.
    case passwordMissing
    /// A file does not contain a password up to a length, in bytes.
    case noPassword(limit: Int)
    /// The value of the environment variable is not a password up to a length, in bytes.
    case noPasswordInVariable(limit: Int)
    /// The prefix is longer than a limit, in bytes, or has braces or other characters than the visible ones of ASCII.
    case unusablePrefix(limit: Int)
    /// A number of replicas is required, and the number of all replicas is unknown.
    case replicaCountMissing
    /// More replicas are required than there are.
    case moreReplicasThanAll(count: Int)
    /// The required replicas are no majority.
    case noMajority(least: Int, count: Int)

    // MARK: The end of the service

    /// The time for which a service that shuts down accepts requests is as long as the one by which it ends, or longer.
    case delayBeyondLimit
}
