// Methods of extensions, as the engine reads them. Must not know: who answers or sends one.

/// The parameter of a method that names what its requests are about; HTTP clients repeat it in the
/// `Mcp-Name` header.
public enum NamedBy: String, Sendable {
    /// The parameter `name`.
    case name
    /// The parameter `uri`.
    case uri
}

/// What clients get from a method of an extension that they did not declare.
public enum Undeclared: String, Sendable {
    /// The error -32021, with the extension in `data.requiredCapabilities`.
    case refuse
    /// The answer, like all others.
    case serve
}

func extensionRow(_ id: String, _ method: String, _ namedBy: NamedBy?, _ since: String?, _ undeclared: Undeclared? = nil) -> Value {
    var row: [String: Value] = ["extension": .string(id), "method": .string(method)]
    row["named_by"] = namedBy.map { .string($0.rawValue) }
    row["since"] = since.map(Value.string)
    row["undeclared"] = undeclared.map { .string($0.rawValue) }
    return .object(row)
}

/// The capabilities of a program, with those of its extensions.
func withExtensions(_ capabilities: Value, _ settings: [String: Value]) -> Value {
    if settings.isEmpty { return capabilities }
    var all = capabilities.objectValue ?? [:]
    all["extensions"] = .object((all["extensions"]?.objectValue ?? [:]).merging(settings) { $1 })
    return .object(all)
}
