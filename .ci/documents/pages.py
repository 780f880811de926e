"""Common code of the checks of documents: the pages, their headings and their blocks."""
import collections, pathlib, re

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Without the pages of packages that a build has fetched.
PAGES = sorted(page for pattern in ("*.md", ".ci/*.md", "Documentation/**/*.md", "Modules/*/*.docc/*.md")
               for page in ROOT.glob(pattern) if "/.build" not in str(page.relative_to(ROOT)))
# A fenced block, and the comment right before it.
Block = collections.namedtuple("Block", "page line language text comment")


def name(page):
    return str(page.relative_to(ROOT))


def prose(text):
    """The lines of a page with empty lines in place of code blocks and HTML comments."""
    def blank(match):
        return "\n" * match[0].count("\n")

    text = re.sub(r"<!--.*?-->", blank, text, flags=re.S)
    return re.sub(r"^ *(`{3,})[^`\n]*\n.*?^ *\1 *$", blank, text, flags=re.S | re.M).split("\n")


def anchors(text):
    """The anchors that GitHub makes from the headings of a page."""
    found = collections.Counter()
    for line in prose(text):
        if heading := re.match(r"#+ (.*)", line):
            title = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading[1]).replace("`", "").strip().lower()
            found[re.sub(r"[^\w\- ]", "", title).replace(" ", "-")] += 1
    # Of several equal headings all but the first have a number.
    return {anchor if number == 0 else f"{anchor}-{number}" for anchor in found for number in range(found[anchor])}


def blocks(page):
    text = page.read_text()
    comment, block = r"(?:<!--((?:(?!-->).)*)-->\n)?", r"^```([^\n]*)\n(.*?)^```$"
    for match in re.finditer(comment + block, text, re.S | re.M):
        line = text[:match.start(3)].count("\n")
        yield Block(page, line, match[2].strip(), match[3], (match[1] or "").strip())
