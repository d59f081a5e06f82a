"""The editor as a person uses it: drags, handles, the inspector."""

from dataclasses import dataclass

from playwright.sync_api import FloatRect, Locator, Page, Position, expect

_SAVED = "Draft saved"


@dataclass(frozen=True)
class Editor:
    """The editor of one workflow."""

    page: Page

    def open(self, workflow_id: str) -> None:
        self.page.goto(f"/workflows/{workflow_id}")
        expect(self.graph).to_be_visible()

    @property
    def graph(self) -> Locator:
        return self.page.get_by_role("group", name="Workflow graph")

    @property
    def palette(self) -> Locator:
        return self.page.get_by_role("complementary", name="Palette")

    @property
    def saved(self) -> Locator:
        """What the top bar says about the draft."""
        return self.page.get_by_role("banner").get_by_role("status")

    @property
    def undo(self) -> Locator:
        return self.page.get_by_role("toolbar", name="History").get_by_role("button").first

    @property
    def redo(self) -> Locator:
        return self.page.get_by_role("toolbar", name="History").get_by_role("button").last

    @property
    def run(self) -> Locator:
        return self.page.get_by_role("banner").get_by_role("button", name="Run")

    @property
    def edges(self) -> Locator:
        return self.graph.locator(".react-flow__edge")

    def node(self, name: str, kind: str) -> Locator:
        """The card of a node: its name, and its kind's title."""
        return self.graph.get_by_label(f"{name}, {kind}", exact=True)

    def inspector(self, name: str) -> Locator:
        return self.page.get_by_role("complementary", name=f"Settings of {name}")

    def is_saved(self) -> None:
        expect(self.saved).to_contain_text(_SAVED)

    def add(self, kind: str) -> None:
        """Add a node by a press in the palette."""
        self.palette.get_by_role("button", name=f"Add {kind}", exact=True).click()

    def drag_in(self, kind: str, *, at: tuple[float, float]) -> None:
        """Drag a kind from the palette to a place, given in shares of the canvas."""
        box = _box(self.graph)
        place: Position = {"x": box["width"] * at[0], "y": box["height"] * at[1]}
        self.palette.get_by_role("button", name=f"Add {kind}", exact=True).drag_to(
            self.graph, target_position=place
        )

    def draw_edge(self, source: str, target: str) -> None:
        """Drag from the out port of a node to the in port of another."""
        self.drag_port(f"{source}, port out", f"{target}, port in")

    def drag_port(self, start: str, end: str) -> None:
        mouse = self.page.mouse
        a, b = (_middle(self.graph.get_by_label(port, exact=True)) for port in (start, end))
        mouse.move(*a)
        mouse.down()
        mouse.move((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, steps=4)
        mouse.move(*b, steps=4)
        mouse.up()


def _middle(part: Locator) -> tuple[float, float]:
    box = _box(part)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _box(part: Locator) -> FloatRect:
    box = part.bounding_box()
    assert box, "the part is on the screen"
    return box
