"""Tools of everything_server.py that take several rounds in the explicit style of
2026-07-28: the function returns its questions and runs again, from the top, with the
answers.

Nothing waits on the server between two rounds; what the function must remember goes into
`requestState`, which the engine seals.
"""

from typing import Any

from common import text_of
from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.types import CreateMessageResult, ElicitResult, InputRequest, InputRequiredResult, ListRootsResult


def form(message: str, field: str, kind: str = "string") -> InputRequest:
    """A question with a form of one required field."""
    schema = {"type": "object", "properties": {field: {"type": kind}}, "required": [field]}
    return InputRequest(method="elicitation/create", params={"message": message, "requestedSchema": schema})


def sampling(prompt: str, max_tokens: int) -> InputRequest:
    """A question to the client's model."""
    message = {"role": "user", "content": {"type": "text", "text": prompt}}
    return InputRequest(method="sampling/createMessage", params={"messages": [message], "maxTokens": max_tokens})


ROOTS = InputRequest(method="roots/list")


def ask(state: str | None = None, /, **questions: InputRequest) -> InputRequiredResult:
    """The end of a round that needs another one."""
    return InputRequiredResult(inputRequests=questions, requestState=state)


def answer(ctx: Context, key: str, kind: type[Any]) -> Any:
    """An answer, if it is there and of that kind."""
    given = (ctx.input_responses or {}).get(key)
    return given if isinstance(given, kind) else None


def field(ctx: Context, key: str, name: str) -> str | None:
    """A text field of an answered form. `None` if there is no usable answer yet, so that
    the question is asked again.
    """
    form: ElicitResult | None = answer(ctx, key, ElicitResult)
    if form is None:
        return None
    if form.action != "accept":
        return "nobody"
    value = (form.content or {}).get(name)
    return value if isinstance(value, str) else None


def ask_for_context(ctx: Context) -> str | InputRequiredResult:
    """For a prompt: they ask like tools."""
    context = field(ctx, "user_context", "context")
    if context is None:
        return ask(user_context=form("What context should the prompt use?", "context"))
    return f"Use this context: {context}"


def rounds(mcp: FastMCP) -> None:
    """Add the tools."""

    @mcp.tool()
    def test_input_required_result_elicitation(ctx: Context) -> str | InputRequiredResult:
        """Asks for a name."""
        name = field(ctx, "user_name", "name")
        return ask(user_name=form("What is your name?", "name")) if name is None else f"Hello, {name}!"

    @mcp.tool()
    def test_input_required_result_sampling(ctx: Context) -> str | InputRequiredResult:
        """Asks the model."""
        said = answer(ctx, "capital_question", CreateMessageResult)
        if said is None:
            return ask(capital_question=sampling("What is the capital of France?", 100))
        return f"The model says: {text_of([said.content])}"

    @mcp.tool()
    def test_input_required_result_list_roots(ctx: Context) -> str | InputRequiredResult:
        """Asks for the roots."""
        given = answer(ctx, "client_roots", ListRootsResult)
        return ask(client_roots=ROOTS) if given is None else f"The client has {len(given.roots)} roots."

    def with_state(ctx: Context) -> str | InputRequiredResult:
        # A state that the engine did not seal does not reach this function.
        if ctx.request_state == "asked" and answer(ctx, "confirm", ElicitResult):
            return "Confirmed; state-ok"
        return ask("asked", confirm=form("Go on?", "ok", "boolean"))

    mcp.add_tool(with_state, "test_input_required_result_request_state", description="Asks and keeps state")
    mcp.add_tool(with_state, "test_input_required_result_tampered_state", description="Asks with state that is checked")

    @mcp.tool()
    def test_input_required_result_multiple_inputs(ctx: Context) -> str | InputRequiredResult:
        """Asks three things at once."""
        name = field(ctx, "user_name", "name")
        greeting = answer(ctx, "greeting", CreateMessageResult)
        given = answer(ctx, "client_roots", ListRootsResult)
        if name is not None and greeting and given:
            return f"{text_of([greeting.content])} ({name}, {len(given.roots)} roots)"
        return ask(
            "three",
            user_name=form("What is your name?", "name"),
            greeting=sampling("Write a short greeting.", 50),
            client_roots=ROOTS,
        )

    @mcp.tool()
    def test_input_required_result_multi_round(ctx: Context) -> str | InputRequiredResult:
        """Asks twice."""
        # The state says which round this is, and what the first one brought.
        state = ctx.request_state or ""
        name = state.removeprefix("name:") if state.startswith("name:") else field(ctx, "step1", "name")
        if name is None:
            return ask("first", step1=form("What is your name?", "name"))
        color = field(ctx, "step2", "color") if state.startswith("name:") else None
        if color is None:
            return ask(f"name:{name}", step2=form("What is your favourite colour?", "color"))
        return f"{name} likes {color}."

    @mcp.tool()
    def test_input_required_result_capabilities(ctx: Context) -> str | InputRequiredResult:
        """Asks what the client can answer."""
        if ctx.input_responses:
            return "The client answered."
        can = ctx.client_capabilities
        questions: dict[str, InputRequest] = {}
        if can and can.sampling is not None:
            questions["joke"] = sampling("Tell a joke.", 100)
        if can and can.elicitation is not None:
            questions["user_name"] = form("What is your name?", "name")
        if can and can.roots is not None:
            questions["client_roots"] = ROOTS
        return ask(**questions) if questions else "The client can answer nothing."
