package dev.mcpbolt

// The names of methods. Written by `cargo xtask generate`; do not edit.

/** The name of a method. */
public sealed interface Method {
    /** As it is sent. */
    public val value: String

    /** Those of the protocol. */
    public enum class Defined(override val value: String) : Method {
        /** See [CompleteRequest]. */
        CompletionComplete("completion/complete"),
        /** See [ElicitRequest]. */
        ElicitationCreate("elicitation/create"),
        /** See [InitializeRequest]. */
        Initialize("initialize"),
        /** See [SetLevelRequest]. */
        LoggingSetLevel("logging/setLevel"),
        /** See [CancelledNotification]. */
        NotificationsCancelled("notifications/cancelled"),
        /** See [ElicitationCompleteNotification]. */
        NotificationsElicitationComplete("notifications/elicitation/complete"),
        /** See [InitializedNotification]. */
        NotificationsInitialized("notifications/initialized"),
        /** See [LoggingMessageNotification]. */
        NotificationsMessage("notifications/message"),
        /** See [ProgressNotification]. */
        NotificationsProgress("notifications/progress"),
        /** See [PromptListChangedNotification]. */
        NotificationsPromptsListChanged("notifications/prompts/list_changed"),
        /** See [ResourceListChangedNotification]. */
        NotificationsResourcesListChanged("notifications/resources/list_changed"),
        /** See [ResourceUpdatedNotification]. */
        NotificationsResourcesUpdated("notifications/resources/updated"),
        /** See [RootsListChangedNotification]. */
        NotificationsRootsListChanged("notifications/roots/list_changed"),
        /** See [SubscriptionsAcknowledgedNotification]. */
        NotificationsSubscriptionsAcknowledged("notifications/subscriptions/acknowledged"),
        /** See [TaskNotification]. */
        NotificationsTasks("notifications/tasks"),
        /** See [TaskStatusNotification]. */
        NotificationsTasksStatus("notifications/tasks/status"),
        /** See [ToolListChangedNotification]. */
        NotificationsToolsListChanged("notifications/tools/list_changed"),
        /** See [PingRequest]. */
        Ping("ping"),
        /** See [GetPromptRequest]. */
        PromptsGet("prompts/get"),
        /** See [ListPromptsRequest]. */
        PromptsList("prompts/list"),
        /** See [ListResourcesRequest]. */
        ResourcesList("resources/list"),
        /** See [ReadResourceRequest]. */
        ResourcesRead("resources/read"),
        /** See [SubscribeRequest]. */
        ResourcesSubscribe("resources/subscribe"),
        /** See [ListResourceTemplatesRequest]. */
        ResourcesTemplatesList("resources/templates/list"),
        /** See [UnsubscribeRequest]. */
        ResourcesUnsubscribe("resources/unsubscribe"),
        /** See [ListRootsRequest]. */
        RootsList("roots/list"),
        /** See [CreateMessageRequest]. */
        SamplingCreateMessage("sampling/createMessage"),
        /** See [DiscoverRequest]. */
        ServerDiscover("server/discover"),
        /** See [ListenRequest]. */
        SubscriptionsListen("subscriptions/listen"),
        /** See [CancelTaskRequest]. */
        TasksCancel("tasks/cancel"),
        /** See [GetTaskRequest]. */
        TasksGet("tasks/get"),
        /** See [ListTasksRequest]. */
        TasksList("tasks/list"),
        /** See [GetTaskPayloadRequest]. */
        TasksResult("tasks/result"),
        /** See [UpdateTaskRequest]. */
        TasksUpdate("tasks/update"),
        /** See [CallToolRequest]. */
        ToolsCall("tools/call"),
        /** See [ListToolsRequest]. */
        ToolsList("tools/list"),
        ;

        override fun toString(): String = value
    }

    /** One that the protocol does not have. */
    public data class Custom(override val value: String) : Method {
        override fun toString(): String = value
    }

    public companion object {
        private val known = Defined.entries.associateBy { it.value }

        /** The method of a name: a [Defined] one, if the protocol has it. */
        public fun of(value: String): Method = known[value] ?: Custom(value)
    }
}
