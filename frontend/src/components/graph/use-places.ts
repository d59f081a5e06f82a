/** Places of all cards: those the document holds, and for the others those a layout gives. */
import { useEffect, useMemo, useState } from "react";
import { boxesIn, LEAST_CONTAINER, type Places } from "@/graph/boxes";
import type { GraphDocument } from "@/graph/graph";
import type { Kinds } from "@/graph/kinds";
import { tidy } from "@/graph/layout";
import { isContainer, parentOf } from "@/graph/nesting";
import { freePlace, rowLayout } from "@/graph/rows";
import { elkEngine } from "./elk-engine";

const NOWHERE: Places = {};

/** Null while a document without any places is being laid out. */
export function usePlaces(document: GraphDocument, kinds: Kinds): Places | null {
  const held = document.ui?.nodes ?? NOWHERE;
  const missing = document.nodes.some((node) => !held[node.id]);
  const bare = missing && !document.nodes.some((node) => held[node.id]);
  const laidOut = useLayout(document, kinds, bare);
  return useMemo(() => {
    if (!missing) return held;
    if (bare) return laidOut && withFreePlaces(document, kinds, laidOut);
    return withFreePlaces(document, kinds, held);
  }, [document, kinds, held, missing, bare, laidOut]);
}

function withFreePlaces(document: GraphDocument, kinds: Kinds, held: Places): Places {
  const lost = document.nodes.filter((node) => !held[node.id]);
  if (!lost.length) return held;
  const rows = rowLayout(document, kinds);
  const places = { ...held };
  for (const node of lost) {
    const beside = boxesIn(document, kinds, places, parentOf(document, node.id));
    const size = isContainer(document, kinds, node) ? LEAST_CONTAINER : undefined;
    places[node.id] = freePlace(beside, rows[node.id] ?? { x: 0, y: 0 }, size);
  }
  return places;
}

/** ELK takes too long over a graph of many hundred nodes to wait for it at every opening. */
const MOST_FOR_ELK = 200;

function firstLayout(document: GraphDocument, kinds: Kinds): Promise<Places> {
  return document.nodes.length > MOST_FOR_ELK
    ? Promise.resolve(rowLayout(document, kinds))
    : tidy(document, kinds, elkEngine());
}

function useLayout(document: GraphDocument, kinds: Kinds, wanted: boolean): Places | null {
  const [places, setPlaces] = useState<Places | null>(null);
  useEffect(() => {
    if (!wanted) return undefined;
    let current = true;
    firstLayout(document, kinds)
      .catch(() => rowLayout(document, kinds))
      .then((found) => current && setPlaces(found))
      .catch(() => undefined);
    return () => {
      current = false;
    };
  }, [document, kinds, wanted]);
  return places;
}
