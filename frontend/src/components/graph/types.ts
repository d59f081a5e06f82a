/** What the canvas hands to React Flow. */
import type { Edge, Node } from "@xyflow/react";
import type { Card } from "@/graph/flow";
import type { Point } from "@/graph/graph";
import type { State } from "@/lib/states";
import type { ThreadState } from "@/run/threads";

/** How a card looks in a run. */
export interface CardRun {
  state: State;
  /** When the work that goes on now began, so that the card can count. */
  since: number | null;
  words: string;
  end: string;
  retried: string;
  stream: string | null;
}

export interface CardData extends Record<string, unknown> {
  card: Card;
  run: CardRun | null;
  direction: "down" | "right";
}

export interface ThreadData extends Record<string, unknown> {
  points: readonly Point[];
  label: string | null;
  state: ThreadState;
  hot: boolean;
}

export type CardNode = Node<CardData, "card">;
export type ThreadEdge = Edge<ThreadData, "thread">;
