"""Words that the writers for Playwright share, whatever its language."""

import mimetypes

from gasoline.generation.script.plan import ExpectedResponse, Plan, PlannedTest

SUBMIT_BUTTON = "button[type=submit], input[type=submit], button:not([type])"
UNKNOWN_CONTENT = "The content of this file was not captured."
MAX_DIFF_PIXELS = 100
FINISH = "() => new Promise(done => requestIdleCallback(() => done(null), { timeout: 1000 }))"


def media_type(name: str) -> str:
    return mimetypes.guess_type(name, strict=False)[0] or "application/octet-stream"


def describe_response(expected: ExpectedResponse) -> str:
    times = f", {expected.times} times" if expected.times > 1 else ""
    operation = f" {expected.operation}" if expected.operation else ""
    confidence = "medium" if expected.among_others or expected.pattern else "high"
    return (
        f"Assert: {expected.method} {expected.path}{operation} answers {expected.status}{times} "
        f"(confidence: {confidence})"
    )


def dialog_answers(test: PlannedTest) -> list[str]:
    return [answer for step in (test.start, *test.steps) for answer in step.dialogs]


def expects_no_errors(test: PlannedTest) -> bool:
    return test.watches_errors and not test.known_errors


def looks_back(test: PlannedTest, plan: Plan) -> bool:
    """Whether something is to be checked when all is done."""
    is_watched = plan.budgets is not None or plan.known_secrets is not None
    return expects_no_errors(test) or is_watched


def count_assertions(plan: Plan) -> int:
    """How many things a run checks."""
    of_steps = sum(
        len(step.responses)
        + sum(response.has_shape for response in step.responses)
        + sum(response.known_personal is not None for response in step.responses)
        + len(step.elements)
        + (step.expects_url is not None)
        + (step.look is not None)
        for step in plan.steps
    )
    of_flow = (plan.budgets is not None) + (plan.known_secrets is not None)
    return of_steps + sum(expects_no_errors(test) + of_flow for test in plan.tests)
