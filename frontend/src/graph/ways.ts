/** The ways of all edges of a graph, from the places of its cards. */

import type { Card, Thread } from "./flow";
import { portPoint } from "./flow";
import type { Point } from "./graph";
import type { Box, Boxes, Places } from "./boxes";
import { route } from "./route";

export type { Places } from "./boxes";

/** Once a card gets a place of its own, those placed by the layout stay where the reader saw them. */
export function missingPlaces(places: Places, held: Places | undefined): Record<string, Point> {
  return Object.fromEntries(Object.entries(places).filter(([id]) => !held?.[id]));
}

export function waysOf(
  cards: readonly Card[],
  threads: readonly Thread[],
  boxes: Boxes,
  direction: "down" | "right",
): ReadonlyMap<string, Point[]> {
  const byId = new Map(cards.map((card) => [card.id, card]));
  const obstacles = obstaclesByParent(cards, boxes);
  const ways = new Map<string, Point[]>();
  for (const thread of threads) {
    const ends = endsOf(thread, byId, boxes, direction === "down");
    if (!ends) continue;
    const request = { ...ends, fromNode: thread.source, toNode: thread.target };
    const beside = obstacles.get(byId.get(thread.source)?.parent ?? null) ?? [];
    ways.set(thread.id, route(request, beside, direction));
  }
  return ways;
}

/** An edge stays in its container, and so has to go around what stands there alone. */
function obstaclesByParent(
  cards: readonly Card[],
  boxes: Boxes,
): Map<string | null, (Box & { id: string })[]> {
  const obstacles = new Map<string | null, (Box & { id: string })[]>();
  for (const card of cards) {
    const box = boxes.get(card.id);
    if (!box) continue;
    const list = obstacles.get(card.parent) ?? [];
    list.push({ id: card.id, ...box });
    obstacles.set(card.parent, list);
  }
  return obstacles;
}

function endsOf(thread: Thread, cards: ReadonlyMap<string, Card>, boxes: Boxes, down: boolean) {
  const source = cards.get(thread.source);
  const target = cards.get(thread.target);
  const [start, end] = [boxes.get(thread.source), boxes.get(thread.target)];
  if (!source || !target || !start || !end) return null;
  return {
    from: portPoint(start, source.outs, thread.sourcePort, "out", down),
    to: portPoint(end, target.ins, thread.targetPort, "in", down),
  };
}
