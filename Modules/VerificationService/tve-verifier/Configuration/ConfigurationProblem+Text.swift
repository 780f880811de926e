import TVEVerification

extension ConfigurationProblem: CustomStringConvertible {
    /// A sentence about what was found, and one about what to do.
    var description: String {
        switch self {
        case .unreadable: "The file cannot be read. \(Self.checkFile)"
        case .tooLong(let limit): "The file is longer than \(limit) bytes. Check that it is the configuration."
        case .notUTF8: "The file is not text in UTF-8. Save it as UTF-8."
        case .notYAML:
            "This is neither YAML nor JSON. Look for a wrong indentation, or for a missing colon, quotation mark or "
                + "bracket."
        case .tabInIndentation: "A tab indents this line, which YAML does not allow. Indent it with spaces."
        case .secondDocument:
            "The file has a second document. Remove it, and the line with three hyphens before it."
        case .repeatedFields(let names):
            "A field occurs more than once: \(names.joined(separator: ", ")). Write each field once."
        case .empty: "The file is empty. Begin with \(Self.example)."

        case .unknownField(let known):
            "This field is unknown. Correct its name, or remove it; the known fields are "
                + "\(known.joined(separator: ", "))."
        case .notAMap: "This value is not a map. Write its fields below it, each with a colon and a value."
        case .notAList:
            "This value is not a list. Write its elements in square brackets, or each on a line of its own after a "
                + "hyphen."
        case .notText:
            "This value is empty or null, or it is a list or a map. Write a single text here, and put a word such as "
                + "null in quotation marks."
        case .unusableText(let limit):
            "This text is longer than \(limit) bytes, or it contains a NUL. Shorten it, or remove the NUL."
        case .notABoolean: "This value is neither true nor false. Write one of the two."
        case .notAWholeNumber(let range):
            "This value is not a whole number in the allowed range. "
                + "Write one from \(range.lowerBound) to \(range.upperBound)."
        case .notSeconds(let range):
            "This value is not a number of seconds in the allowed range. "
                + "Write one from \(range.lowerBound) to \(range.upperBound)."
        case .notAWord(let known):
            "This value is not one of the known words. Write one of these: \(known.joined(separator: ", "))."
        case .unusable: "This value cannot be used. Compare it with \(Self.example)."
        case .unreadableFile(let path): "\(path) cannot be read. \(Self.checkFile)"
        case .noFile:
            "The file that this field names cannot be read. Write the name of a file here, not the secret itself, "
                + "and check that the user of this service may read it."
        case .untrusted(let problem): problem.description

        case .requestorsMissing:
            "The field requestors is missing. Add it, with the id and the keys of at least one requestor."
        case .noRequestor:
            "The list of requestors is empty. Add at least one requestor, with its id and its keys."
        case .idMissing: "The requestor has no id. Add the field id."
        case .blankInID: "The id contains a blank or an invisible character. Remove it, or type the id again."
        case .quotedID: "The quotation marks around the id are a part of it. Write the id without them."
        case .repeatedID: "Another requestor has the same id. List each requestor once."
        case .keysMissing: "The requestor has no keys. Add keys, keyDirectory or both."
        case .key(let problem): problem.description
        case .sameKeyName(let name, let files):
            "\(files.joined(separator: " and ")) have the same name, \(name), which answers use for the key. "
                + "Rename one of them."
        case .notADirectory:
            "This is not a directory. Name the directory that contains the keys, or list single files under keys."
        case .noKeyInDirectory:
            "There is no key in the directory. "
                + "Add a public key or certificate whose name ends with .pem, .crt, .cer or .der."
        case .passedOver(let files): KeyDirectory.sentence(aboutPassedOver: files) ?? ""

        case .notAListenAddress:
            "This is not an address to listen on. Write host:port or [IPv6]:port, with a port from 0 to 65535; "
                + "the host 0.0.0.0 stands for all IPv4 addresses, and [::] for all IPv6 addresses."
        case .callersMissing:
            "The field callers is missing. Add it, with one of bearerKeys, certificates, anyone."
        case .notOneKindOfCallers:
            "This section does not have exactly one field. Choose one of bearerKeys, certificates, anyone."
        case .callersOff:
            "This way to admit callers is switched off, so nobody is admitted. Write true, or choose another way."
        case .callers(let problem): problem.description
        case .anyoneBeyondLoopback:
            "The field callers admits anyone who can reach this service, and listen is not a loopback address. "
                + "Listen on a loopback address, such as 127.0.0.1, or choose bearerKeys or certificates."
        case .clientAuthorityMissing:
            "The certificates of callers cannot be checked without tls.clientAuthority. "
                + "Add it, with the file of the authority that signs them."
        case .keysInPlaintext:
            "Bearer keys would cross the network without encryption. Add tls.certificate and tls.key, or set "
                + "allowPlaintext to true if a proxy with TLS stands in front of this service."
        case .plaintextWithoutKeys:
            "The field allowPlaintext is for callers with bearerKeys, and has no effect on others. "
                + "Remove it, or choose bearerKeys."
        case .certificateOrKeyMissing: "The field certificate or the field key is missing. Add both."
        case .tls(let problem): problem.description

        case .fieldWithRedis(let name):
            "The field \(name) has an effect only without Redis. Remove this field, or remove memory.redis."
        case .variableWithoutRedis:
            "The configuration has no memory.redis, so this variable would have no effect. "
                + "Add this field, which may be an empty map, or remove the variable."
        case .serversMissing:
            "No Redis server is named. Add servers with at least one address, or set TVE_VERIFIER_REDIS_SERVERS."
        case .notARedisAddress:
            "This is not the address of a Redis server. "
                + "Write host or host:port (6379 by default), [IPv6]:port or unix:/path."
        case .notRedisAddresses:
            "This is not a list of addresses of Redis servers. "
                + "Write addresses such as redis-1:6379, separated by commas."
        case .passwordMissing:
            "The field username has no password beside it. Add passwordFile, or set TVE_VERIFIER_REDIS_PASSWORD."
        case .noPassword(let limit):
            "The file does not contain a password of 1 to \(limit) bytes. Write the password into it, and nothing else."
        case .noPasswordInVariable(let limit):
            "The variable does not contain a password of 1 to \(limit) bytes. "
                + "Set it to the password, or remove it so that passwordFile is used."
        case .unusablePrefix(let limit):
            "The prefix is longer than \(limit) bytes, or contains braces, blanks, control characters or characters "
                + "outside of ASCII. Choose another one, of letters and digits."
        case .replicaCountMissing:
            "The field replicas has no replicaCount beside it. Add the number of all replicas of a primary, because a "
                + "token is safe only when a majority of all servers has it."
        case .moreReplicasThanAll(let count):
            "This number is larger than replicaCount, \(count). Write a smaller one, or correct replicaCount."
        case .noMajority(let least, let count):
            "With so few replicas, both sides of a network that is cut could grant the same token. "
                + "Set replicas to at least \(least) for a replicaCount of \(count)."

        case .delayBeyondLimit:
            "The field drain.delay is not less than drain.limit, after which requests are cut off. "
                + "Write a shorter delay or a longer limit; without these fields they are 5 and 25 seconds."
        }
    }

    private static let example = "the example, Documentation/verifier/verifier.yaml"
    private static let checkFile = "Check that it exists, and that the user of this service may read it."
}
