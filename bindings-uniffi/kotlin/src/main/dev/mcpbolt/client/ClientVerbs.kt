@file:Suppress("TooManyFunctions")

package dev.mcpbolt

// What a client can ask a server. Must not know: how a request is sent.

/** The requests that a client sends, by the names of the official package. */
public abstract class ClientVerbs {
    /** Sends any request of the protocol, or a [CustomRequest]. Cancelling the coroutine cancels the request. */
    public abstract suspend fun <R : Record> request(request: Request<R>, options: RequestOptions? = null): R

    /** Sends a notification to the server. */
    public abstract suspend fun notification(notification: Notification)

    public suspend fun ping(options: RequestOptions? = null): EmptyResult = request(PingRequest(), options)

    public suspend fun complete(params: CompleteRequest, options: RequestOptions? = null): CompleteResult = request(params, options)

    public suspend fun setLoggingLevel(level: LoggingLevel, options: RequestOptions? = null): EmptyResult =
        request(SetLevelRequest(SetLevelRequestParams(level)), options)

    public suspend fun getPrompt(request: GetPromptRequest, options: RequestOptions? = null): GetPromptResult = request(request, options)

    public suspend fun listPrompts(request: ListPromptsRequest = ListPromptsRequest(), options: RequestOptions? = null): ListPromptsResult =
        request(request, options)

    public suspend fun listResources(request: ListResourcesRequest = ListResourcesRequest(), options: RequestOptions? = null): ListResourcesResult =
        request(request, options)

    public suspend fun listResourceTemplates(
        request: ListResourceTemplatesRequest = ListResourceTemplatesRequest(),
        options: RequestOptions? = null,
    ): ListResourceTemplatesResult = request(request, options)

    public suspend fun readResource(request: ReadResourceRequest, options: RequestOptions? = null): ReadResourceResult =
        request(request, options)

    /** Subscribes to changes of a resource; on the modern era through a stream of its own. */
    public abstract suspend fun subscribeResource(request: SubscribeRequest, options: RequestOptions? = null): EmptyResult

    public abstract suspend fun unsubscribeResource(request: UnsubscribeRequest, options: RequestOptions? = null): EmptyResult

    /**
     * Calls a tool. A failure that the tool reports itself is a result with `isError`.
     *
     * @param arguments Kotlin values or JSON; see [toJson].
     */
    public suspend fun callTool(
        name: String,
        arguments: Map<String, Any?>,
        meta: Map<String, Any?> = emptyMap(),
        options: RequestOptions? = null,
    ): CallToolResult {
        val params = CallToolRequestParams(
            name = name,
            arguments = toJson(arguments).obj(),
            meta = meta.takeIf { it.isNotEmpty() }?.let { toJson(it).obj() },
        )
        return callTool(CallToolRequest(params), options)
    }

    public suspend fun callTool(request: CallToolRequest, options: RequestOptions? = null): CallToolResult = request(request, options)

    public suspend fun listTools(request: ListToolsRequest = ListToolsRequest(), options: RequestOptions? = null): ListToolsResult =
        request(request, options)

    /** Gets the server's description of itself; modern era only. */
    public suspend fun discover(options: RequestOptions? = null): DiscoverResult = request(DiscoverRequest(), options)

    public suspend fun sendRootsListChanged(): Unit = notification(RootsListChangedNotification())
}

/** Lists all pages of tools; the engine refuses a list that does not end. */
internal suspend fun ClientVerbs.allTools(): List<Tool> {
    val tools = mutableListOf<Tool>()
    var cursor: String? = null
    do {
        val page = listTools(ListToolsRequest(PaginatedRequestParams(cursor = cursor)))
        tools += page.tools
        cursor = page.nextCursor
    } while (cursor != null)
    return tools
}
