"""Holds docstrings to plain English: they begin with a verb, or with the thing they are about."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import quiver

# Nothing begins with a question or with a word that points at something else.
QUESTION = re.compile(r"(What|How|Whether|Who|Whose|Which|Where|When|Why|The same|As|From|Same)\b")
# A function's first word is a verb, and so neither an article nor a number nor a preposition.
NOUN = re.compile(
    r"(The|An?|One|Two|Three|Any|All|Each|Every|Some|No|It|Its|This|These|Those|There|In|At|For|To|If)\b"
)
FORMER_WORDS = re.compile(r"\b([Ss]tandings?|[Tt]reatments?|[Ww]ish(es)?)\b")


def sources() -> list[Path]:
    return sorted((*Path(quiver.__file__).parent.rglob("*.py"), *Path(__file__).parent.glob("*.py")))


def openings() -> Iterator[tuple[str, str, bool]]:
    """Yield place and text of every docstring, and True for functions that are no properties or fixtures."""
    for file in sources():
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                text = ast.get_docstring(node)
                function = isinstance(node, ast.FunctionDef) and not any(
                    re.search("property|fixture", ast.unparse(each)) for each in node.decorator_list
                )
                if text:
                    place = f"{file.name}:{getattr(node, 'lineno', 1)}"
                    yield place, text, function


def test_docstrings_begin_with_a_verb_or_with_what_they_are_about() -> None:
    wrong = [
        f"{place}: {text.splitlines()[0]}"
        for place, text, function in openings()
        if QUESTION.match(text) or (function and NOUN.match(text))
    ]
    assert not wrong, "\n".join(wrong)


def test_comments_begin_with_no_question_and_former_words_are_gone() -> None:
    wrong = []
    for file in sources():
        for number, line in enumerate(file.read_text().splitlines(), 1):
            comment = re.match(r"\s*# (.*)", line)
            if FORMER_WORDS.search(line) or (comment and QUESTION.match(comment.group(1))):
                wrong.append(f"{file.name}:{number}: {line.strip()}")
    assert not wrong, "\n".join(wrong)
