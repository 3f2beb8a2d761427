@file:Suppress("TooManyFunctions")

package dev.mcpbolt

import kotlinx.coroutines.Deferred

// What a server can say to one of its connections, by its id. Must not know: how connections are opened.

/** The requests and notifications that a server sends to one client, by the names of the official package. */
public abstract class SessionVerbs internal constructor() {
    /** The open connections, by their ids. */
    public abstract val sessions: Map<String, ServerSession>

    /**
     * The client of a connection.
     *
     * @throws McpUsageException if there is no such connection.
     */
    public fun clientConnection(sessionId: String): ClientConnection = session(sessionId)

    /** Sends a `ping`; returns when the client answers. Legacy era only. */
    public suspend fun ping(sessionId: String): EmptyResult = session(sessionId).ping()

    /** Requests a message from the client's model (sampling). */
    public suspend fun createMessage(sessionId: String, params: CreateMessageRequest, options: RequestOptions? = null): CreateMessageResult =
        session(sessionId).createMessage(params, options)

    /** Requests the client's list of roots. */
    public suspend fun listRoots(
        sessionId: String,
        params: ListRootsRequest = ListRootsRequest(),
        options: RequestOptions? = null,
    ): ListRootsResult = session(sessionId).listRoots(params, options)

    /** Asks the user to fill in a form. */
    public suspend fun createElicitation(
        sessionId: String,
        message: String,
        requestedSchema: FormSchema,
        options: RequestOptions? = null,
    ): ElicitResult = session(sessionId).createElicitation(message, requestedSchema, options)

    /** Asks the user to visit a URL. */
    public suspend fun createElicitation(
        sessionId: String,
        message: String,
        elicitationId: String,
        url: String,
        options: RequestOptions? = null,
    ): ElicitResult = session(sessionId).createElicitation(message, elicitationId, url, options)

    /** Sends a log message, unless its level is below the one that the client asked for. */
    public suspend fun sendLoggingMessage(sessionId: String, notification: LoggingMessageNotification): Unit =
        session(sessionId).sendLoggingMessage(notification)

    /** Tells the client that a resource changed; [Server.resourceUpdated] tells all that watch it. */
    public suspend fun sendResourceUpdated(sessionId: String, notification: ResourceUpdatedNotification): Unit =
        session(sessionId).sendResourceUpdated(notification)

    /** Tells the client that the list of resources changed; [Server.resourceListChanged] tells all. */
    public suspend fun sendResourceListChanged(sessionId: String): Unit = session(sessionId).sendResourceListChanged()

    /** Tells the client that the list of tools changed; [Server.toolListChanged] tells all. */
    public suspend fun sendToolListChanged(sessionId: String): Unit = session(sessionId).sendToolListChanged()

    /** Tells the client that the list of prompts changed; [Server.promptListChanged] tells all. */
    public suspend fun sendPromptListChanged(sessionId: String): Unit = session(sessionId).sendPromptListChanged()

    /** Tells the client that its user has finished at a URL. */
    public suspend fun sendElicitationComplete(sessionId: String, notification: ElicitationCompleteNotification): Unit =
        session(sessionId).sendElicitationComplete(notification)

    /** Sets the handler for notifications of a method on one connection. */
    public fun <T : Notification> setNotificationHandler(sessionId: String, method: Method, handler: (notification: T) -> Deferred<Unit>): Unit =
        session(sessionId).setNotificationHandler(method, handler)

    /** Removes the handler for notifications of a method on one connection. */
    public fun removeNotificationHandler(sessionId: String, method: Method): Unit = session(sessionId).removeNotificationHandler(method)

    private fun session(id: String): ServerSession =
        sessions[id] ?: throw failure("usage", "there is no session $id: it was closed, or belongs to another server")
}
