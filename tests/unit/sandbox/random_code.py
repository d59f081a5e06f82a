"""Random code over a few names, with everything that binds them."""

from random import Random

NAMES = ["a", "b", "c", "d"]
READ = ["inputs.n", "inputs.n", "inputs.n", "inputs.list", "inputs['topic']", "inputs.zz"]
PLAIN = ["0", "1", "2", "3", "'x'", "[]", "{}", "None", "True"]
OPERATORS = ["+", "-", "==", "==", "and", "or", "or"]
CAUGHT = ["Exception", "KeyError as e", "TypeError", "(ValueError, TypeError) as e", "NameError"]


class RandomCode:
    """Writes programs that mostly run, and often fail half-way."""

    def __init__(self, seed: int) -> None:
        self._dice = Random(seed)

    def program(self) -> str:
        head = "a = 1\nb = [1, 2]\ndef f(x=0):\n    return x\n"
        more = self._one("c = 3\n", "c = d = 0\n") + self._one(
            "", "def g(x=0):\n    return [x, b]\n"
        )
        return f"{head}{more}{self._block(0, 2)}\n[a, b, {self._value(1)}, inputs]"

    def _one(self, *several: str) -> str:
        return self._dice.choice(several)

    def _name(self) -> str:
        return self._one(*NAMES)

    def _value(self, depth: int = 2) -> str:
        if not depth:
            return self._one(*NAMES, *READ, *PLAIN)
        name, one, other = self._name(), self._value(depth - 1), self._value(depth - 1)
        return self._one(
            *(one, one, one),
            f"({one} {self._one(*OPERATORS)} {other})",
            f"[{self._name()} for {name} in {self._one('range(3)', 'inputs.list', one)}]",
            f"(lambda {name}: {one})({other})",
            f"{self._one('f', 'g')}({one})",
            f"[{one}, {other}]",
            f"({one} if {other} else {name})",
            f"({name} := {one})",
            f"len(str({one}))",
            f"f'{{{name}}}-{{{self._name()}}}'",
        )

    def _block(self, indent: int, depth: int) -> str:
        count = self._dice.randrange(1, 4)
        return "\n".join(self._statement(indent, depth) for _ in range(count))

    def _statement(self, indent: int, depth: int) -> str:
        space, name, value = "    " * indent, self._name(), self._value()
        simple = [
            f"{name} = {value}",
            f"{name} += {self._one(*PLAIN)}",
            f"{name}, {self._name()} = {value}, {name}",
            f"{name} = [{self._name()}]",
            f"{name} = {self._one(*PLAIN)}",
            f"inputs.seen.append({self._one(*PLAIN)})",
        ]
        if not depth or self._dice.random() < 0.4:
            return space + self._one(*simple)
        inner, other = self._block(indent + 1, depth - 1), self._block(indent + 1, depth - 1)
        outer = self._one("", "", "", f"{space}    nonlocal {self._name()}\n")
        return self._one(
            f"{space}if {value}:\n{inner}\n{space}else:\n{other}",
            f"{space}for {name} in {self._one('range(3)', 'inputs.list')}:\n{inner}",
            f"{space}def {self._one('f', 'g')}({name}={value}):\n{outer}{inner}\n"
            f"{space}    return {self._value(1)}",
            f"{space}try:\n{inner}\n{space}except {self._one(*CAUGHT)}:\n{other}",
        )
