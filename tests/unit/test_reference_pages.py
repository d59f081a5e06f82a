import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
VARIABLE = re.compile(r"\b(HEDDLE_[A-Z_]+|DATABASE_URL|REDIS_URL)\b")
NODE_CODES = ("NodeError", "CallFailed", "Failed", "Failure", "Issue", "ConfigProblem", "_plain")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
#: What tests and people add later.
MADE_ELSEWHERE = ("images/",)


def trees(*folders: str) -> Iterator[ast.Module]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield ast.parse(path.read_text("utf-8"))


def texts_in(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def in_backticks(page: str) -> set[str]:
    return set(re.findall(r"`([^`\n]+)`", (DOCS / "reference" / page).read_text("utf-8")))


def variables_read() -> set[str]:
    texts = {text for tree in trees("backend/config", "bin/lib") for text in texts_in(tree)}
    texts |= {text for tree in trees("backend/workflows/management") for text in texts_in(tree)}
    start = (ROOT / "bin/lib/start").read_text("utf-8")
    return {text for text in texts if VARIABLE.fullmatch(text)} | set(VARIABLE.findall(start))


def codes_of(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.AnnAssign(target=ast.Name(id="code"), value=ast.Constant(value=str(code))):
                yield code
            case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str(code)), *_]) if (
                name in NODE_CODES
            ):
                yield code
            case ast.Call(keywords=keywords):
                for keyword in keywords:
                    if keyword.arg == "code" and isinstance(keyword.value, ast.Constant):
                        yield str(keyword.value.value)
            case _:
                pass


def test_every_variable_that_is_read_stands_on_the_settings_page() -> None:
    assert variables_read() - in_backticks("settings.md") == set()


def test_the_settings_page_names_no_variable_that_nobody_reads() -> None:
    named = {word for word in in_backticks("settings.md") if VARIABLE.fullmatch(word)}
    compose = (ROOT / "docker-compose.yml").read_text("utf-8")

    assert named - variables_read() - set(VARIABLE.findall(compose)) == set()


def test_every_variable_of_the_example_file_stands_on_the_settings_page() -> None:
    example = (ROOT / ".env.example").read_text("utf-8")
    names = set(re.findall(r"^(?:# )?([A-Z][A-Z_]+)=", example, re.MULTILINE))

    assert names - in_backticks("settings.md") == set()


def test_every_code_of_an_error_stands_on_the_errors_page() -> None:
    codes = {code for tree in trees("backend", "workers") for code in codes_of(tree)}

    assert codes - in_backticks("errors.md") == set()


def test_every_relative_link_leads_somewhere() -> None:
    pages = [*DOCS.rglob("*.md"), *ROOT.glob("*.md")]
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in pages
        for target in LINK.findall(page.read_text("utf-8"))
        if "://" not in target and not any(part in target for part in MADE_ELSEWHERE)
        if not (page.parent / target.partition("#")[0]).exists()
    ]

    assert broken == []
