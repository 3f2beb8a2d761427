package dev.mcpbolt

// What tells the classes of a union apart on the wire. Must not know: the classes.

/** Which kind of content a [ContentBlock] is. Kinds of later revisions are kept. */
public data class ContentTypes(override val value: String) : Word {
    override fun toString(): String = value

    public companion object {
        /** [TextContent]. */
        public val TEXT: ContentTypes = ContentTypes("text")

        /** [ImageContent]. */
        public val IMAGE: ContentTypes = ContentTypes("image")

        /** [AudioContent]. */
        public val AUDIO: ContentTypes = ContentTypes("audio")

        /** [ResourceLink]. */
        public val RESOURCE_LINK: ContentTypes = ContentTypes("resource_link")

        /** [EmbeddedResource]. */
        public val EMBEDDED_RESOURCE: ContentTypes = ContentTypes("resource")

        /** [ToolUseContent]. */
        public val TOOL_USE: ContentTypes = ContentTypes("tool_use")

        /** [ToolResultContent]. */
        public val TOOL_RESULT: ContentTypes = ContentTypes("tool_result")
    }
}

/** What a [Reference] refers to. Kinds of later revisions are kept. */
public data class ReferenceType(override val value: String) : Word {
    override fun toString(): String = value

    public companion object {
        /** [PromptReference]. */
        public val Prompt: ReferenceType = ReferenceType("ref/prompt")

        /** [ResourceTemplateReference]. */
        public val Resource: ReferenceType = ReferenceType("ref/resource")
    }
}
