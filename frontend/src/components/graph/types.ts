/** What the canvas hands to React Flow. */
import type { Edge, Node } from "@xyflow/react";
import type { Card } from "@/graph/flow";
import type { Point } from "@/graph/graph";
import type { CardRun } from "@/run/card";
import type { ThreadState } from "@/run/threads";

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

/** A card, or the box of a container with cards inside. */
export type CardNode = Node<CardData, "card" | "box">;
export type ThreadEdge = Edge<ThreadData, "thread">;
