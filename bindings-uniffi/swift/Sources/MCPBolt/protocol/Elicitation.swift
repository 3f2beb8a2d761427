// What a form asks for, in the words of the official package. Must not know: who asks, and who
// answers.

/// A namespace for names of the official package.
public enum Elicitation {
    /// Whether a person is asked by a form or at a URL.
    public enum Mode: String, Hashable, Codable, Sendable {
        /// By a form.
        case form
        /// At a URL, which the person opens.
        case url
    }

    /// The schema of a form: an object whose members are the fields.
    ///
    /// ```swift
    /// let schema = Elicitation.RequestSchema(properties: ["city": ["type": "string"]], required: ["city"])
    /// ```
    ///
    /// A schema may be written as a literal, too: `["type": "object", "properties": […]]`. Members
    /// that have no name here are kept, and sent, as they are.
    public struct RequestSchema: Hashable, Sendable {
        /// The whole schema, as JSON Schema.
        public var schema: Value

        /// Creates a schema from JSON Schema.
        public init(_ schema: Value) { self.schema = schema }

        /// Creates a schema without fields.
        public init() { self.init(properties: [:]) }

        /// Creates a schema from its parts. `title` and `description` are shown to the person;
        /// `properties` are the fields, each with a schema of its own; `required` names those that
        /// must be filled in: none, if nothing is said.
        public init(
            title: String? = nil, description: String? = nil, properties: [String: Value] = [:], required: [String]? = nil
        ) {
            schema = ["type": "object"]
            (self.title, self.description) = (title, description)
            (self.properties, self.required) = (properties, required)
        }

        /// The title, for people.
        public var title: String? {
            get { schema["title"]?.stringValue }
            set { self["title"] = newValue.map(Value.string) }
        }
        /// What the form is for, for people.
        public var description: String? {
            get { schema["description"]?.stringValue }
            set { self["description"] = newValue.map(Value.string) }
        }
        /// The fields, each with its schema.
        public var properties: [String: Value] {
            get { schema["properties"]?.objectValue ?? [:] }
            set { self["properties"] = .object(newValue) }
        }
        /// The fields that must be filled in; nil if the schema does not say.
        public var required: [String]? {
            get { schema["required"]?.arrayValue?.compactMap(\.stringValue) }
            set { self["required"] = newValue.map { .array($0.map(Value.string)) } }
        }

        private subscript(name: String) -> Value? {
            get { schema[name] }
            set {
                var members = schema.objectValue ?? [:]
                members[name] = newValue
                schema = .object(members)
            }
        }
    }
}

extension Elicitation.RequestSchema: Codable, ExpressibleByDictionaryLiteral {
    /// Reads any schema.
    public init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }
    /// Writes the whole schema.
    public func encode(to encoder: any Encoder) throws { try schema.encode(to: encoder) }
    /// Creates a schema from its members.
    public init(dictionaryLiteral elements: (String, Value)...) {
        self.init(.object(Dictionary(elements, uniquingKeysWith: { _, last in last })))
    }
}
