"""Functions below the tests of a file that look on for what takes far more than before."""

from collections.abc import Mapping

from msgspec import Struct

from gasoline.generation.script.literal import js_text, py_text
from gasoline.generation.script.pages import FINISH
from gasoline.generation.script.plan import Budgets

# In the page: the tasks of more than 50 ms, and all that was loaded with it.
_REPORT_TASKS = (
    "self.longest = 0; new PerformanceObserver(list => list.getEntries().forEach(task => {"
    " longest = Math.max(longest, task.duration); self.reportTask?.(location.href, longest);"
    " })).observe({ type: 'longtask', buffered: true });"
)
_REPORT_BYTES = (
    "addEventListener('load', () => setTimeout(() => reportBytes(performance.getEntries()"
    ".reduce((sum, entry) => sum + (entry.decodedBodySize ?? 0), 0))));"
)


class BudgetWords(Struct, frozen=True, kw_only=True):
    """The function in one language; words in capitals stand for what differs from file to file."""

    opening: str
    watch: Mapping[str, str]
    ending: str
    ending_of: Mapping[str, str]


def write_budgets(budgets: Budgets, words: BudgetWords) -> str:
    """What is looked at, and what is said of it in the end."""
    most = {name: getattr(budgets, name) for name in words.watch}
    given = {name: str(number) for name, number in most.items() if number is not None}
    watched = [words.watch[name].replace("MOST", number) for name, number in given.items()]
    endings = [
        words.ending_of[name].replace("MOST", number)
        for name, number in given.items()
        if name in words.ending_of
    ]
    return words.opening + "".join(watched) + words.ending.replace("ENDINGS", "".join(endings))


TYPESCRIPT_BUDGETS = BudgetWords(
    opening="""
// What takes several times as much as it did when this was recorded
async function watchBudgets(page: import('@playwright/test').Page) {
  const exceeded: string[] = [];
  const allow = (most: number, used: number, what: string) => {
    if (used > most) exceeded.push(`${Math.round(used)} ${what}, allowed: ${most}`);
  };
""",
    watch={
        "answer_ms": """\
  const slowAnswers: [RegExp, number][] = SLOW;
  page.on('requestfinished', request => {
    if (!/fetch|xhr/.test(request.resourceType())) return;
    const slow = slowAnswers.find(([path]) => path.test(new URL(request.url()).pathname));
    allow(slow?.[1] ?? MOST, request.timing().responseEnd, `ms for ${request.url()}`);
  });
""",
        "task_ms": f"""\
  const busy = new Map<string, number>();
  const reportTasks = {js_text(_REPORT_TASKS)};
  await page.exposeFunction('reportTask', (url: string, ms: number) => busy.set(url, ms));
  await page.addInitScript(reportTasks);
""",
        "page_bytes": f"""\
  await page.exposeFunction('reportBytes', (size: number) => allow(MOST, size, 'bytes of a page'));
  await page.addInitScript({js_text(_REPORT_BYTES)});
""",
        "messages_per_s": """\
  const began = Date.now();
  let messages = 0;
  page.on('websocket', socket => socket.on('framereceived', () => messages++));
""",
    },
    ending="""\
  return async () => {
ENDINGS    return exceeded;
  };
}
""",
    ending_of={
        "task_ms": f"""\
    for (let [url, ms] of busy) {{
      // A busy machine makes a page slow once, a busy page every time
      for (let time = 0; time < 3 && ms > MOST; time++) {{
        const again = await page.context().newPage();
        await again.addInitScript(reportTasks);
        await again.goto(url);
        await again.evaluate({FINISH});
        ms = Math.min(ms, await again.evaluate<number>('longest'));
        await again.close();
      }}
      allow(MOST, ms, `ms without a pause on ${{url}}`);
    }}
""",
        "messages_per_s": """\
    const seconds = Math.max(1, (Date.now() - began) / 1000);
    allow(MOST, messages / seconds, 'messages a second over WebSockets');
""",
    },
)
PYTHON_BUDGETS = BudgetWords(
    opening='''

def watch_budgets(page):
    """Collect what takes several times as much as it did when this was recorded."""
    exceeded = []

    def allow(most, used, what):
        if used > most:
            exceeded.append(f"{used:.0f} {what}, allowed: {most}")

''',
    watch={
        "answer_ms": """\
    slow_answers = SLOW

    def look(request):
        if request.resource_type in ("fetch", "xhr"):
            path = urlsplit(request.url).path
            most = next((ms for slow, ms in slow_answers if re.search(slow, path)), MOST)
            allow(most, request.timing["responseEnd"], f"ms for {request.url}")

    page.on("requestfinished", look)
""",
        "task_ms": f"""\
    busy = {{}}
    report_tasks = {py_text(_REPORT_TASKS)}
    page.expose_function("reportTask", lambda url, ms: busy.update({{url: ms}}))
    page.add_init_script(report_tasks)
""",
        "page_bytes": f"""\
    page.expose_function("reportBytes", lambda size: allow(MOST, size, "bytes of a page"))
    page.add_init_script({py_text(_REPORT_BYTES)})
""",
        "messages_per_s": """\
    began, messages = time.monotonic(), []

    def count(_frame):
        messages.append(1)

    page.on("websocket", lambda socket: socket.on("framereceived", count))
""",
    },
    ending="""
    def finish():
ENDINGS        return exceeded

    return finish
""",
    ending_of={
        "task_ms": f"""\
        for url, ms in list(busy.items()):
            # A busy machine makes a page slow once, a busy page every time
            for _ in range(3 if ms > MOST else 0):
                again = page.context.new_page()
                again.add_init_script(report_tasks)
                again.goto(url)
                again.evaluate({py_text(FINISH)})
                ms = min(ms, again.evaluate("longest"))
                again.close()
            allow(MOST, ms, f"ms without a pause on {{url}}")
""",
        "messages_per_s": """\
        per_second = len(messages) / max(1, time.monotonic() - began)
        allow(MOST, per_second, "messages a second over WebSockets")
""",
    },
)
