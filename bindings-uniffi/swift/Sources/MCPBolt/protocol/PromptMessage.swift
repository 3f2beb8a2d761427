// Messages of prompts. Owns: their two shapes, that of the protocol and that of the official package.
// Must not know: prompts.

/// A message of a prompt.
public struct PromptMessage: Hashable, Sendable {
    /// What a message says, as programs for the official package match it. Hints and metadata are in
    /// `PromptMessage.block`.
    public enum Content: Hashable, Sendable {
        /// A text.
        case text(text: String)
        /// A picture: its bytes in Base64, and their type.
        case image(data: String, mimeType: String)
        /// Sound: its bytes in Base64, and their type.
        case audio(data: String, mimeType: String)
        /// The contents of a resource.
        case resource(resource: Resource.Content, annotations: Annotations? = nil, _meta: Metadata? = nil)
        /// Any other block, such as a link to a resource.
        case other(ContentBlock)

        /// The text; nil if it is none.
        public var plainText: String? { if case .text(let text) = self { text } else { nil } }
    }

    /// The role of the sender.
    public var role: Role
    /// What the message says, with all that belongs to it.
    public var block: ContentBlock

    /// A message that says this.
    public init(role: Role, content: ContentBlock) { (self.role, block) = (role, content) }

    /// A message of the user.
    public static func user(_ content: ContentBlock) -> PromptMessage { .init(role: .user, content: content) }
    /// A message of the model.
    public static func assistant(_ content: ContentBlock) -> PromptMessage { .init(role: .assistant, content: content) }

    /// What the message says.
    public var content: Content {
        switch block {
        case .text(let text, _, _): .text(text: text)
        case .image(let data, let mimeType, _, _): .image(data: data, mimeType: mimeType)
        case .audio(let data, let mimeType, _, _): .audio(data: data, mimeType: mimeType)
        case .resource(let resource, let annotations, let meta): .resource(resource: resource, annotations: annotations, _meta: meta)
        default: .other(block)
        }
    }
}

extension PromptMessage: Codable {
    private enum CodingKeys: String, CodingKey {
        case role
        case block = "content"
    }
}
