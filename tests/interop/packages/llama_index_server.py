"""A workflow of LlamaIndex as a server: `… [--http PORT]`."""

import sys

from llama_index.core.workflow import StartEvent, StopEvent, Workflow, step
from llama_index.tools.mcp import workflow_as_mcp


class Guest(StartEvent):
    who: str


class Greeting(Workflow):
    """Greets a guest."""

    @step
    async def greet(self, event: Guest) -> StopEvent:
        if not event.who:
            raise ValueError("nobody is there")
        return StopEvent(result=f"Hello, {event.who}")


server = workflow_as_mcp(Greeting(), "greet", start_event_model=Guest, name="on-llama-index", version="1.0.0")
if sys.argv[1:2] == ["--http"]:
    server.run("streamable-http", port=int(sys.argv[2]))
else:
    server.run()
