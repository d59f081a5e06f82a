/** The ways of all edges of a graph, from the places of its cards. */

import type { Card, Thread } from "./flow";
import { portPoint } from "./flow";
import type { Point } from "./graph";
import { NODE_HEIGHT, NODE_WIDTH } from "./layout";
import { route } from "./route";

export type Places = Readonly<Record<string, Point>>;

/** Once a card gets a place of its own, those placed by the layout stay where the reader saw them. */
export function missingPlaces(places: Places, held: Places | undefined): Record<string, Point> {
  return Object.fromEntries(Object.entries(places).filter(([id]) => !held?.[id]));
}

export function waysOf(
  cards: readonly Card[],
  threads: readonly Thread[],
  places: Places,
  direction: "down" | "right",
): ReadonlyMap<string, Point[]> {
  const byId = new Map(cards.map((card) => [card.id, card]));
  const obstacles = cards.flatMap((card) => {
    const place = places[card.id];
    return place ? [{ id: card.id, ...place, width: NODE_WIDTH, height: NODE_HEIGHT }] : [];
  });
  const ways = new Map<string, Point[]>();
  for (const thread of threads) {
    const ends = endsOf(thread, byId, places, direction === "down");
    if (!ends) continue;
    const request = { ...ends, fromNode: thread.source, toNode: thread.target };
    ways.set(thread.id, route(request, obstacles, direction));
  }
  return ways;
}

function endsOf(thread: Thread, cards: ReadonlyMap<string, Card>, places: Places, down: boolean) {
  const source = cards.get(thread.source);
  const target = cards.get(thread.target);
  const [start, end] = [places[thread.source], places[thread.target]];
  if (!source || !target || !start || !end) return null;
  return {
    from: portPoint(start, source.outs, thread.sourcePort, "out", down),
    to: portPoint(end, target.ins, thread.targetPort, "in", down),
  };
}
