import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Markdown } from "./markdown";

function show(text: string) {
  return render(
    <MantineProvider>
      <Markdown text={text} />
    </MantineProvider>,
  );
}

it("shows tables and lists", () => {
  show("| a | b |\n|---|---|\n| 1 | 2 |\n\n- one\n- two");

  expect(screen.getByRole("table")).toBeInTheDocument();
  expect(screen.getAllByRole("listitem")).toHaveLength(2);
});

it("drops raw HTML", () => {
  const { container } = show('before <script>window.__xss = 1</script> <img src=x onerror="x()"> after');

  expect(container.querySelector("script, img")).toBeNull();
});

it("never loads a picture, but links to it", () => {
  const { container } = show("![a chart](https://pictures.example/a.png)");

  expect(container.querySelector("img")).toBeNull();
  expect(screen.getByRole("link", { name: "Image: a chart" })).toHaveAttribute(
    "href",
    "https://pictures.example/a.png",
  );
});

it("gives no address to links that would run code", () => {
  show("[press](javascript:alert(1)) [data](data:text/html,x) [good](https://good.example)");

  expect(screen.getByRole("link", { name: "good" })).toHaveAttribute("rel", "noopener noreferrer nofollow");
  expect(screen.getByText("press").getAttribute("href") ?? "").toBe("");
  expect(screen.getByText("data").getAttribute("href") ?? "").toBe("");
});

it("holds back very long texts until they are asked for", () => {
  show("word ".repeat(20_000));

  expect(screen.getByRole("button", { name: "Show all 100k characters" })).toBeInTheDocument();
});
