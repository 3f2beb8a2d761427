// What a type may say of its own schema. Must not know: how a schema is made of that.

/// A type that says what it and its properties mean: a model reads it in the schema.
///
/// ```swift
/// struct Place: Codable, SchemaDescribed {
///     var city: String
///     static let propertyDescriptions = ["city": "A city"]
/// }
/// ```
public protocol SchemaDescribed {
    /// What the type means; nil for nothing.
    static var schemaDescription: String? { get }
    /// What properties mean, by their names in JSON. A name that is no property has no schema made.
    static var propertyDescriptions: [String: String] { get }
}

extension SchemaDescribed {
    /// Nothing.
    public static var schemaDescription: String? { nil }
    /// Nothing.
    public static var propertyDescriptions: [String: String] { [:] }
}

/// A type that has a schema of its own: one whose members depend on what it is given, such as an enum
/// with associated values, or one that allows less than its members say.
public protocol SchemaProviding {
    /// The JSON Schema of what the type is read from and written as.
    static var schema: Value { get }
    /// A value, so that types which hold one can be read on trial. Nil, the default, if the type itself
    /// can be.
    static var schemaExample: Self? { get }
}

extension SchemaProviding {
    /// None.
    public static var schemaExample: Self? { nil }
}
