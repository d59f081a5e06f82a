/** Puts the one drawing sheet of the product into the page, where every icon refers to it. */
import sheet from "./sprite.svg?raw";

export function mountSprite(page: Document): void {
  if (page.getElementById("heddle-sprite")) return;
  const drawings = new DOMParser().parseFromString(sheet, "image/svg+xml").documentElement;
  drawings.id = "heddle-sprite";
  drawings.style.position = "absolute";
  page.body.prepend(page.importNode(drawings, true));
}
