"""Functions below the tests of a file that look on for what is nobody else's business."""

from gasoline.generation.script.literal import py_text
from gasoline.generation.script.privacy import PERSONAL, SECRET

# KNOWN stands for the secrets that were there before.
TYPESCRIPT_SECRETS = f"""
// Secrets in addresses that were not there when this was recorded
function watchSecrets(page: import('@playwright/test').Page) {{
  const known: string[] = KNOWN;
  const found: string[] = [];
  page.on('request', request => {{
    if (!/fetch|xhr/.test(request.resourceType())) return;
    const names = [...new URL(request.url()).searchParams.keys()];
    found.push(...names.filter(name => /{SECRET}/i.test(name) && !known.includes(name)));
  }});
  return found;
}}
"""
PYTHON_SECRETS = f'''

def watch_secrets(page):
    """Collect secrets in addresses that were not there when this was recorded."""
    known = KNOWN
    found = []
    secret = re.compile({py_text(SECRET)}, re.IGNORECASE)

    def look(request):
        if request.resource_type in ("fetch", "xhr"):
            names = [name for name, _ in parse_qsl(urlsplit(request.url).query)]
            found.extend(name for name in names if secret.search(name) and name not in known)

    page.on("request", look)
    return found
'''
TYPESCRIPT_PERSONAL = f"""
// Fields about persons that were not there when this was recorded
function newPersonalFields(value: unknown, ...known: string[]): string[] {{
  const personal = /{PERSONAL}/i;
  return Object.entries(value ?? {{}}).flatMap(([name, field]) => {{
    if (typeof field === 'object') return newPersonalFields(field, ...known);
    return field && personal.test(name) && !known.includes(name) ? [name] : [];
  }});
}}
"""
PYTHON_PERSONAL = f'''

def new_personal_fields(value, *known):
    """Find fields about persons that were not there when this was recorded."""
    personal = re.compile({py_text(PERSONAL)}, re.IGNORECASE)
    if isinstance(value, list):
        return [name for item in value for name in new_personal_fields(item, *known)]
    found = []
    for name, field in value.items() if isinstance(value, dict) else ():
        if isinstance(field, (dict, list)):
            found += new_personal_fields(field, *known)
        elif field and personal.search(name) and name not in known:
            found.append(name)
    return found
'''
