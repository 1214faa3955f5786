"""The tools, resources and prompts that the official MCP conformance suite asks a server for."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import mcp_types as types
from mcp.server.context import HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata

Request: TypeAlias = ServerRequestContext[Any]
Arguments: TypeAlias = dict[str, Any]
Answer: TypeAlias = list[types.ContentBlock]

RED_PIXEL_PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8Dw"
    "HwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
)
SILENT_WAV = "UklGRiUAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQEAAACA"

# The suite wants the messages of one call to arrive apart from each other.
PAUSE_SECONDS = 0.05


class FixtureError(Exception):
    """What a tool that is meant to fail answers."""


def add_fixtures(server: Server[Any]) -> None:
    """Register the fixtures beside whatever the server already offers."""
    _add_tools(server)
    _add_resources(server)
    _add_prompts(server)
    server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, _accept)


async def _accept(_request: Request, _params: object) -> types.EmptyResult:
    return types.EmptyResult()


# Tools: a function's docstring is its tool's description.


async def answer_text(_request: Request, _arguments: Arguments) -> Answer:
    """Answer one text."""
    return [_text("This is a simple text response for testing.")]


async def answer_image(_request: Request, _arguments: Arguments) -> Answer:
    """Answer an image."""
    return [types.ImageContent(data=RED_PIXEL_PNG, mime_type="image/png")]


async def answer_audio(_request: Request, _arguments: Arguments) -> Answer:
    """Answer a sound."""
    return [types.AudioContent(data=SILENT_WAV, mime_type="audio/wav")]


async def answer_resource(_request: Request, _arguments: Arguments) -> Answer:
    """Answer an embedded resource."""
    return [_resource("test://embedded-resource", "This is an embedded resource content.")]


async def answer_several_kinds(_request: Request, _arguments: Arguments) -> Answer:
    """Answer a text, an image and a resource at once."""
    return [
        _text("Multiple content types test:"),
        types.ImageContent(data=RED_PIXEL_PNG, mime_type="image/png"),
        _resource(
            "test://mixed-content-resource",
            json.dumps({"test": "data", "value": 123}),
            mime_type="application/json",
        ),
    ]


async def log_while_working(request: Request, _arguments: Arguments) -> Answer:
    """Send three log messages before answering."""
    for message in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        params = types.LoggingMessageNotificationParams(level="info", data=message)
        await request.session.send_notification(
            types.LoggingMessageNotification(params=params), related_request_id=request.request_id
        )
        await asyncio.sleep(PAUSE_SECONDS)
    return [_text("Sent three log messages.")]


async def fail(_request: Request, _arguments: Arguments) -> Answer:
    """Fail, always."""
    raise FixtureError("This tool intentionally returns an error for testing")


async def report_progress(request: Request, _arguments: Arguments) -> Answer:
    """Report progress three times before answering."""
    for progress in (0, 50, 100):
        await request.session.report_progress(progress, total=100)
        await asyncio.sleep(PAUSE_SECONDS)
    return [_text("Reported progress three times.")]


async def ask_model(request: Request, arguments: Arguments) -> Answer:
    """Ask the client's model."""
    question = types.SamplingMessage(role="user", content=_text(arguments["prompt"]))
    reply = await request.session.send_request(
        types.CreateMessageRequest(
            params=types.CreateMessageRequestParams(messages=[question], max_tokens=100)
        ),
        types.CreateMessageResult,
        metadata=ServerMessageMetadata(related_request_id=request.request_id),
    )
    assert isinstance(reply.content, types.TextContent)
    return [_text(f"LLM response: {reply.content.text}")]


async def ask_user(request: Request, arguments: Arguments) -> Answer:
    """Ask the user for a name and an address."""
    username = {"type": "string", "description": "User's response"}
    email = {"type": "string", "description": "User's email address"}
    return await _elicit(
        request,
        arguments["message"],
        {"username": username, "email": email},
        required=["username", "email"],
    )


async def ask_user_with_defaults(request: Request, _arguments: Arguments) -> Answer:
    """Ask the user with a default for every type."""
    status = ["active", "inactive", "pending"]
    fields = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": status, "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    return await _elicit(request, "Please review the defaults", fields)


async def ask_user_with_choices(request: Request, _arguments: Arguments) -> Answer:
    """Ask the user with every form of choice."""
    options = ["option1", "option2", "option3"]
    titled = [
        {"const": f"value{number}", "title": f"{ordinal} Option"}
        for number, ordinal in enumerate(("First", "Second", "Third"), start=1)
    ]
    fields = {
        "untitledSingle": {"type": "string", "enum": options},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": options}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }
    return await _elicit(request, "Please choose", fields)


async def close_stream_before_answering(request: Request, _arguments: Arguments) -> Answer:
    """Close the stream before answering, where the client can resume it."""
    if request.close_sse_stream is not None:
        await request.close_sse_stream()
        await asyncio.sleep(PAUSE_SECONDS)
    return [_text("Answered after the stream was closed.")]


async def echo(_request: Request, arguments: Arguments) -> Answer:
    """Tool with JSON Schema 2020-12 features."""
    return [_text(json.dumps(arguments))]


TOOLS: dict[str, Callable[[Request, Arguments], Awaitable[Answer]]] = {
    "test_simple_text": answer_text,
    "test_image_content": answer_image,
    "test_audio_content": answer_audio,
    "test_embedded_resource": answer_resource,
    "test_multiple_content_types": answer_several_kinds,
    "test_tool_with_logging": log_while_working,
    "test_error_handling": fail,
    "test_tool_with_progress": report_progress,
    "test_sampling": ask_model,
    "test_elicitation": ask_user,
    "test_elicitation_sep1034_defaults": ask_user_with_defaults,
    "test_elicitation_sep1330_enums": ask_user_with_choices,
    "test_reconnection": close_stream_before_answering,
    "json_schema_2020_12_tool": echo,
}

NO_ARGUMENTS: dict[str, Any] = {"type": "object"}

INPUT_SCHEMAS: dict[str, dict[str, Any]] = {
    "test_sampling": {
        "type": "object",
        "properties": {"prompt": {"type": "string", "description": "The prompt to send"}},
        "required": ["prompt"],
    },
    "test_elicitation": {
        "type": "object",
        "properties": {"message": {"type": "string", "description": "What to ask the user"}},
        "required": ["message"],
    },
    "json_schema_2020_12_tool": {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            }
        },
        "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
        "additionalProperties": False,
    },
}


def _add_tools(server: Server[Any]) -> None:
    own_list = server.get_request_handler("tools/list")
    own_call = server.get_request_handler("tools/call")
    fixtures = [
        types.Tool(
            name=name,
            description=tool.__doc__,
            input_schema=INPUT_SCHEMAS.get(name, NO_ARGUMENTS),
        )
        for name, tool in TOOLS.items()
    ]

    async def list_tools(
        request: Request, params: types.PaginatedRequestParams
    ) -> types.ListToolsResult:
        if own_list is None:
            return types.ListToolsResult(tools=fixtures)
        own = await own_list.handler(request, params)
        assert isinstance(own, types.ListToolsResult)
        return own.model_copy(update={"tools": [*own.tools, *fixtures]})

    async def call_tool(request: Request, params: types.CallToolRequestParams) -> HandlerResult:
        if params.name in TOOLS:
            return await _call_fixture(request, params)
        if own_call is None:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}")
        return await own_call.handler(request, params)

    server.add_request_handler("tools/list", types.PaginatedRequestParams, list_tools)
    server.add_request_handler("tools/call", types.CallToolRequestParams, call_tool)


async def _call_fixture(
    request: Request, params: types.CallToolRequestParams
) -> types.CallToolResult:
    try:
        content = await TOOLS[params.name](request, params.arguments or {})
    except FixtureError as error:
        return types.CallToolResult(content=[_text(str(error))], is_error=True)
    return types.CallToolResult(content=content)


async def _elicit(
    request: Request, message: str, fields: dict[str, Any], *, required: list[str] | None = None
) -> Answer:
    schema = {"type": "object", "properties": fields, "required": required or []}
    reply = await request.session.elicit_form(
        message, schema, related_request_id=request.request_id
    )
    content = json.dumps(reply.content)
    return [_text(f"Elicitation completed: action={reply.action}, content={content}")]


def _text(text: str) -> types.TextContent:
    return types.TextContent(text=text)


def _resource(uri: str, text: str, *, mime_type: str = "text/plain") -> types.EmbeddedResource:
    contents = types.TextResourceContents(uri=uri, mime_type=mime_type, text=text)
    return types.EmbeddedResource(resource=contents)


# Resources

STATIC_RESOURCES: dict[str, types.TextResourceContents | types.BlobResourceContents] = {
    contents.uri: contents
    for contents in (
        types.TextResourceContents(
            uri="test://static-text",
            mime_type="text/plain",
            text="This is the content of the static text resource.",
        ),
        types.BlobResourceContents(
            uri="test://static-binary", mime_type="image/png", blob=RED_PIXEL_PNG
        ),
        types.TextResourceContents(
            uri="test://watched-resource", mime_type="text/plain", text="Watched."
        ),
    )
}


def _add_resources(server: Server[Any]) -> None:
    paginated = types.PaginatedRequestParams
    server.add_request_handler("resources/list", paginated, _list_resources)
    server.add_request_handler("resources/templates/list", paginated, _list_templates)
    server.add_request_handler("resources/read", types.ReadResourceRequestParams, _read_resource)
    server.add_request_handler("resources/subscribe", types.SubscribeRequestParams, _accept)
    server.add_request_handler("resources/unsubscribe", types.UnsubscribeRequestParams, _accept)


async def _list_resources(
    _request: Request, _params: types.PaginatedRequestParams
) -> types.ListResourcesResult:
    return types.ListResourcesResult(
        resources=[
            types.Resource(
                uri=uri,
                name=uri.removeprefix("test://"),
                description="A fixture of the conformance suite",
                mime_type=contents.mime_type,
            )
            for uri, contents in STATIC_RESOURCES.items()
        ]
    )


async def _list_templates(
    _request: Request, _params: types.PaginatedRequestParams
) -> types.ListResourceTemplatesResult:
    template = types.ResourceTemplate(
        uri_template="test://template/{id}/data",
        name="template",
        description="A fixture of the conformance suite",
        mime_type="application/json",
    )
    return types.ListResourceTemplatesResult(resource_templates=[template])


async def _read_resource(
    _request: Request, params: types.ReadResourceRequestParams
) -> types.ReadResourceResult:
    return types.ReadResourceResult(contents=[_find_resource(params.uri)])


def _find_resource(uri: str) -> types.TextResourceContents | types.BlobResourceContents:
    if uri in STATIC_RESOURCES:
        return STATIC_RESOURCES[uri]
    if templated := re.fullmatch(r"test://template/([^/]+)/data", uri):
        key = templated[1]
        answer = {"id": key, "templateTest": True, "data": f"Data for ID: {key}"}
        return types.TextResourceContents(
            uri=uri, mime_type="application/json", text=json.dumps(answer)
        )
    raise MCPError(types.INVALID_PARAMS, f"Unknown resource: {uri}")


# Prompts

PROMPT_ARGUMENTS: dict[str, list[str]] = {
    "test_simple_prompt": [],
    "test_prompt_with_arguments": ["arg1", "arg2"],
    "test_prompt_with_embedded_resource": ["resourceUri"],
    "test_prompt_with_image": [],
}


def _add_prompts(server: Server[Any]) -> None:
    server.add_request_handler("prompts/list", types.PaginatedRequestParams, _list_prompts)
    server.add_request_handler("prompts/get", types.GetPromptRequestParams, _get_prompt)
    server.add_request_handler("completion/complete", types.CompleteRequestParams, _complete)


async def _list_prompts(
    _request: Request, _params: types.PaginatedRequestParams
) -> types.ListPromptsResult:
    return types.ListPromptsResult(
        prompts=[
            types.Prompt(
                name=name,
                description="A fixture of the conformance suite",
                arguments=[types.PromptArgument(name=word, required=True) for word in arguments],
            )
            for name, arguments in PROMPT_ARGUMENTS.items()
        ]
    )


async def _get_prompt(
    _request: Request, params: types.GetPromptRequestParams
) -> types.GetPromptResult:
    content = _prompt_content(params.name, params.arguments or {})
    messages = [types.PromptMessage(role="user", content=block) for block in content]
    return types.GetPromptResult(messages=messages)


def _prompt_content(name: str, arguments: dict[str, str]) -> Answer:
    match name:
        case "test_simple_prompt":
            return [_text("This is a simple prompt for testing.")]
        case "test_prompt_with_arguments":
            first, second = arguments["arg1"], arguments["arg2"]
            return [_text(f"Prompt with arguments: arg1='{first}', arg2='{second}'")]
        case "test_prompt_with_embedded_resource":
            embedded = _resource(arguments["resourceUri"], "Embedded resource content for testing.")
            return [embedded, _text("Please process the embedded resource above.")]
        case "test_prompt_with_image":
            image = types.ImageContent(data=RED_PIXEL_PNG, mime_type="image/png")
            return [image, _text("Please analyze the image above.")]
        case _:
            raise MCPError(types.INVALID_PARAMS, f"Unknown prompt: {name}")


async def _complete(
    _request: Request, _params: types.CompleteRequestParams
) -> types.CompleteResult:
    return types.CompleteResult(completion=types.Completion(values=["paris", "park", "party"]))
