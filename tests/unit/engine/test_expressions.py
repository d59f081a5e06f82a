import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.engine.expressions import (
    Bare,
    config_expressions,
    parse_template,
    references,
    syntax_problems,
)
from backend.engine.python_text import ExpressionInvalid, Python, parse_code, parse_expression
from backend.engine.templates import as_text, holds_template

plain_text = st.text().filter(lambda text: "{{" not in text)


def only(text: str) -> Python:
    [part] = parse_template(text).parts
    assert isinstance(part, Python)
    return part


@settings(deadline=None)
@given(plain_text)
def test_text_without_braces_stands_as_it_is(text: str) -> None:
    assert parse_template(text).fill([]) == text


@settings(deadline=None)
@given(st.text())
def test_any_text_parses_or_is_refused_with_words(text: str) -> None:
    try:
        parts = parse_template(text).parts
    except ExpressionInvalid as error:
        parts = (str(error),)

    assert parts
    assert all(isinstance(part, str | Python) for part in parts)


@settings(deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=8))
def test_a_literal_between_braces_is_one_expression(value: object) -> None:
    assert ast.literal_eval(only(f"{{{{ {value!r} }}}}").source) == value


@settings(deadline=None)
@given(plain_text.filter(lambda t: not t.endswith(("{", "\\"))), st.integers(), plain_text)
def test_what_stands_around_an_expression_is_kept(before: str, value: int, after: str) -> None:
    template = parse_template(f"{before}{{{{ inputs.n }}}} {after}")

    assert template.fill([value]) == f"{before}{value} {after}"


@settings(deadline=None)
@given(plain_text)
def test_escaped_braces_are_literal(text: str) -> None:
    assert parse_template("\\{{" + text).fill([]) == "{{" + text


def test_braces_close_where_the_text_first_is_an_expression() -> None:
    assert only("{{ {'a': {'b': 1}} }}").source == "{'a': {'b': 1}}"
    assert only("{{ {'a': 1}}}").source == "{'a': 1}"
    assert only("{{ '}}' }}").source == "'}}'"


def test_an_expression_may_go_over_several_lines() -> None:
    assert only("{{ inputs.a\n  + inputs.b }}").source == "inputs.a\n  + inputs.b"


def test_brackets_that_only_close_ours_are_refused() -> None:
    with pytest.raises(ExpressionInvalid):
        parse_expression("1) +\n(2")


def test_one_expression_alone_keeps_its_type_and_text_around_it_makes_text() -> None:
    assert parse_template("{{ inputs.x }}").fill([[1, None]]) == [1, None]
    assert parse_template("{{ inputs.x }} ").fill([[1, None]]) == "[1, null] "
    assert parse_template("{{ inputs.x }}{{ inputs.y }}").fill(["ä", None]) == "ä"


def test_values_inside_text_are_json_except_text_and_nothing() -> None:
    assert [as_text(v) for v in ("a", None, True, 1.5, {"a": "ü"})] == [
        "a",
        "",
        "true",
        "1.5",
        '{"a": "ü"}',
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{{", "closing braces"),
        ("{{ }}", "an expression is missing"),
        ("{{ 1 + }}", "invalid syntax"),
        ("{{ x = 1 }}", "invalid syntax"),
        ("{{ import os }}", "invalid syntax"),
        ("{{ a; b }}", "invalid syntax"),
        ("{{ " + "(" * 5000 + ")" * 5000 + " }}", "nested|memory"),
        ("{{ " + "-" * 19_000 + "1 }}", "nested too deeply"),
        ("{{ a" + ".b" * 5000 + " }}", "nested too deeply"),
        ("{{ '" + "a" * 30_000 + "' }}", "longer than"),
        ("{{ '\x00' }}", "null bytes|character"),
        ("{{ " + "}}" * 100_000, "missing"),
    ],
)
def test_what_is_no_expression_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(ExpressionInvalid, match=reason):
        parse_template(text)


def test_a_key_is_looked_up_and_a_call_stays_a_method() -> None:
    assert only("{{ inputs.a.items() }}").code == (
        "__heddle_get__(inputs, 'a', 'inputs.a').items()"
    )
    assert only("{{ inputs['a'] }}").code == "__heddle_item__(inputs, 'a', 'inputs[a]')"
    assert only("{{ len(inputs.a) }}").code == "len(__heddle_get__(inputs, 'a', 'inputs.a'))"


def test_patterns_and_assignments_in_code_are_no_lookups() -> None:
    code = parse_code("match x:\n    case A.b:\n        y.c = 1\n").code

    assert "__heddle_get__" not in code


def test_lines_of_rewritten_code_lead_back_to_the_authors_lines() -> None:
    python = parse_code("# a comment\n\nx = (1 +\n     2)\n\ny = x\ny")

    assert [python.lines[n] for n in (1, 2, 3)] == [3, 6, 7]


def test_references_are_found_in_every_form_and_in_nested_settings() -> None:
    config = {
        "text": "{{ nodes.a.output.x }} {{ nodes['b']['output'] }} \\{{ nodes.no.output }}",
        "list": [{"deep": "{{ [n for n in nodes.c.output] }}"}],
        "cases": [{"when": "nodes.d.output > 1 and inputs.z"}],
        "code": "def f():\n    return nodes.e.output\nf()",
    }
    bare = Bare(expressions=("cases[].when",), code=("code",))

    assert references(config, bare=bare) == {"a", "b", "c", "d", "e"}
    paths = {found.path for found in config_expressions(config, bare=bare)}
    assert paths == {"text", "list[0].deep", "cases[0].when", "code"}


def test_names_like_bare_settings_are_ordinary_inside_values() -> None:
    assert references({"values": {"when": "nodes.a.output", "code": "x"}}) == set()


def test_a_name_that_hides_nodes_is_no_reference() -> None:
    assert only("{{ [nodes for nodes in inputs.list] }}").names.nodes == frozenset()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{{ foo }}", "foo is not known here"),
        ("{{ nodes }}", "write nodes.<id>.output"),
        ("{{ nodes[inputs.x].output }}", "write nodes.<id>.output"),
        ("{{ nodes.a }}", "write nodes.<id>.output"),
        ("{{ nodes.a.result }}", "write nodes.<id>.output"),
        ("{{ inputs.list.append(1) }}", "may not change a value"),
        ("{{ 1 + }}", "Invalid syntax"),
    ],
)
def test_problems_are_listed_with_their_place(text: str, reason: str) -> None:
    [problem] = syntax_problems({"a": [{"b": text}]})

    assert problem.path == "a[0].b"
    assert reason.lower() in problem.message.lower()


@pytest.mark.parametrize(
    ("text", "scope", "around", "signals"),
    [
        ("{{ item.x + index }}", {"item", "index"}, set(), set()),
        ("{{ state if round else 0 }}", {"state", "round"}, set(), set()),
        (
            "{{ nodes.m.item + nodes['l']['round'] }}",
            {"nodes"},
            {("m", "item"), ("l", "round")},
            set(),
        ),
        ("{{ nodes.item.output }}", {"nodes"}, set(), set()),
        ("{{ run.signals.w }}{{ run['signals']['v'] }}", {"run"}, set(), {"w", "v"}),
        ("{{ run.signals }}", {"run"}, set(), set()),
        ("{{ [item for item in inputs.list] }}", {"inputs"}, set(), set()),
        ("{{ round(inputs.x, 2) }}", {"inputs"}, set(), set()),
        ("{{ round(round) }}", {"round"}, set(), set()),
        ("{{ item.round(1) }}", {"item"}, set(), set()),
    ],
)
def test_what_containers_and_signals_give_is_noted(
    text: str, scope: set[str], around: set[tuple[str, str]], signals: set[str]
) -> None:
    names = [python.names for python in parse_template(text).expressions]

    assert {name for one in names for name in one.scope} == scope
    assert {read for one in names for read in one.around} == around
    assert {name for one in names for name in one.signals} == signals
    assert not any(one.problems for one in names)


def test_round_is_a_function_where_it_is_called_and_else_what_is_in_scope() -> None:
    assert only("{{ round(round) }}").code == "__heddle_round__(round)"
    assert parse_code("def round(x):\n    return x\nround(1)").code.endswith(
        "__heddle_result__(round(1))"
    )


def test_names_that_the_expression_itself_binds_are_known() -> None:
    for text in (
        "{{ [x for x in inputs.l] }}",
        "{{ (lambda a, *b: a)(1) }}",
        "{{ (y := 1) + y }}",
        "{{ {k: v for k, v in inputs.o.items()} }}",
    ):
        assert syntax_problems({"a": text}) == []


def test_code_may_import_define_and_catch() -> None:
    code = (
        "import re as r\n"
        "class P:\n"
        "    def __init__(self, x): self.x = x\n"
        "try:\n"
        "    y = P(1).x\n"
        "except KeyError as error:\n"
        "    y = str(error)\n"
        "match y:\n"
        "    case {'a': z, **rest}: y = [z, rest]\n"
        "    case [first, *others]: y = first\n"
        "r.sub('a', 'b', str(y))"
    )

    assert syntax_problems({"code": code}, bare=Bare(code=("code",))) == []


def test_only_unescaped_braces_count_as_a_template() -> None:
    assert holds_template("a {{ b")
    assert not holds_template("a \\{{ b")
    assert not holds_template("a { { b")
