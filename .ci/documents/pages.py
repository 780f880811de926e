"""Common code of the checks of documents: the pages, their headings and their blocks."""
import pathlib, re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Without the pages of packages that a build has fetched.
PAGES = sorted(
    page for page in [ROOT / "README.md", ROOT / "SECURITY.md", ROOT / ".ci/README.md", *ROOT.glob("Documentation/**/*.md"), *ROOT.glob("Modules/*/*.docc/*.md")]
    if not any(part.startswith(".build") for part in page.relative_to(ROOT).parts))


def name(page):
    return str(page.relative_to(ROOT))


def prose(text):
    """The lines of a page with empty lines in place of code blocks and HTML comments."""
    text = re.sub(r"<!--.*?-->", lambda match: "\n" * match.group(0).count("\n"), text, flags=re.S)
    lines, fence = [], None
    for line in text.split("\n"):
        mark = re.match(r"\s*(```+)", line)
        if fence:
            if mark and line.strip() == fence:
                fence = None
            lines.append("")
        elif mark:
            fence = mark.group(1)
            lines.append("")
        else:
            lines.append(line)
    return lines


def anchors(text):
    """The anchors that GitHub makes from the headings of a page."""
    found = set()
    for line in prose(text):
        heading = re.match(r"#+ (.*)", line)
        if not heading:
            continue
        title = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading.group(1)).replace("`", "").strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", title).replace(" ", "-")
        number, unique = 0, anchor
        while unique in found:
            number += 1
            unique = f"{anchor}-{number}"
        found.add(unique)
    return found


class Block:
    """A fenced block: its language, its text, the comment right before it."""

    def __init__(self, page, line, language, text, comment):
        self.page, self.line, self.language, self.text, self.comment = page, line, language, text, comment

    @property
    def place(self):
        return f"{name(self.page)}:{self.line}"


def blocks(page):
    text = page.read_text()
    pattern = re.compile(r"(?:<!--(?P<comment>(?:(?!-->).)*)-->\n)?^```(?P<language>[^\n]*)\n(?P<text>.*?)^```$", re.S | re.M)
    for match in pattern.finditer(text):
        comment = match["comment"]
        line = text[: match.start("text")].count("\n")
        yield Block(page, line, match["language"].strip(), match["text"], comment.strip() if comment else "")
