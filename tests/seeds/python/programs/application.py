"""What a host application does with the sessions of its servers, step by step."""

from mcpbolt import ClientSession
from mcpbolt.client.stdio import StdioServerParameters, stdio_client


class Conversation:
    """What the model knows."""

    def __init__(self):
        self.tools = []
        self.results = []
        self.told = 0

    def register_available_tools(self, tools):
        self.tools = tools

    def add_tool_result(self, content):
        self.results.extend(content)

    def is_active(self):
        return True

    def notify_llm_of_new_capabilities(self):
        self.told += 1


class Application:
    """The sessions, and which tool is whose."""

    def __init__(self):
        self.conversation = Conversation()
        self._sessions = []
        self._tools = {}
        self.ready = []

    def register_mcp_server(self, session, supports_tools):
        if supports_tools:
            self._sessions.append(session)

    def set_server_ready(self, session):
        self.ready.append(session)

    def mcp_server_sessions(self):
        return self._sessions

    def update_available_tools(self, session, tools):
        self._tools = {name: owner for name, owner in self._tools.items() if owner is not session}
        self._tools.update({tool.name: session for tool in tools})

    def find_mcp_session_for_tool(self, name):
        return self._tools[name]


async def connected(app: Application, server_config: StdioServerParameters, message_handler, then):
    """Shake hands with a server, take it up, and go on."""
    async with stdio_client(server_config) as (read, write):
        async with ClientSession(read, write, message_handler=message_handler) as session:
            init_response = await session.initialize()
            if init_response.capabilities.tools:
                app.register_mcp_server(session, supports_tools=True)
            app.set_server_ready(session)
            await then(session)


async def discover(app: Application):
    """Tell the model what there is."""
    available_tools = []
    for session in app.mcp_server_sessions():
        tools_response = await session.list_tools()
        available_tools.extend(tools_response.tools)
        app.update_available_tools(session, tools_response.tools)
    app.conversation.register_available_tools(available_tools)


async def handle_tool_call(app: Application, conversation: Conversation, tool_name, arguments):
    """Do what the model wants."""
    session = app.find_mcp_session_for_tool(tool_name)
    result = await session.call_tool(tool_name, arguments)
    conversation.add_tool_result(result.content)


async def handle_tools_changed_notification(app: Application, session):
    """Ask again, since the tools are others now."""
    tools_response = await session.list_tools()
    app.update_available_tools(session, tools_response.tools)
    if app.conversation.is_active():
        app.conversation.notify_llm_of_new_capabilities()
