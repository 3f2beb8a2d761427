"""LlamaIndex' client and its tools."""

from argparse import Namespace
from typing import Any

from llama_index.tools.mcp import BasicMCPClient, McpToolSpec

from shown import outcome, plain, show


async def main(options: Namespace) -> dict[str, Any]:
    target = [options.url] if options.url else [options.target[0], options.target[1:]]
    client = BasicMCPClient(*target)
    reported: list[Any] = []

    async def on_progress(done: float, total: float | None, message: str | None) -> None:
        reported.append([done, total, message])

    seen: dict[str, Any] = {
        "tools": await outcome(client.list_tools()),
        "resources": await outcome(client.list_resources()),
        "templates": await outcome(client.list_resource_templates()),
        "prompts": await outcome(client.list_prompts()),
        "note": await outcome(client.read_resource("note://one")),
        "bytes": await outcome(client.read_resource("note://bytes")),
        "page": await outcome(client.read_resource("note://a/page")),
        "none": await outcome(client.read_resource("note://none")),
        "prompt": await outcome(client.get_prompt("greet", {"name": "Ada"})),
        "no prompt": await outcome(client.get_prompt("none")),
        "slow": await outcome(client.call_tool("slow", {}, progress_callback=on_progress)),
        "progress": reported,
    }
    tools = await McpToolSpec(client, include_resources=True).to_tool_list_async()
    for tool in tools:
        seen[f"tool {tool.metadata.name}"] = [tool.metadata.description, tool.metadata.get_parameters_dict()]
    by_name = {tool.metadata.name: tool for tool in tools}
    for name, given in (
        ("echo", {"text": "grüße", "times": 2}),
        ("echo", {}),
        ("older", {"person": {"name": "Ada", "age": 36}}),
        ("older", {"person": {"name": "Ada", "age": -1}}),
        ("fail", {}),
        ("picture", {}),
        ("note", {}),
    ):
        answer = await outcome(by_name[name].acall(**given))
        seen[f"{name} {given}"] = plain(answer)
    return seen


show(main)
