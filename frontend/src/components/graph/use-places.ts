/** Places of all cards: those the document holds, and for the others those a layout gives. */
import { useEffect, useMemo, useState } from "react";
import type { GraphDocument, Point } from "@/graph/graph";
import type { Kinds } from "@/graph/kinds";
import { freePlace, rowLayout, tidy } from "@/graph/layout";
import { elkEngine } from "./elk-engine";

type Places = Readonly<Record<string, Point>>;
const NOWHERE: Places = {};

/** Null while a document without any places is being laid out. */
export function usePlaces(document: GraphDocument, kinds: Kinds): Places | null {
  const held = document.ui?.nodes ?? NOWHERE;
  const missing = document.nodes.filter((node) => !held[node.id]).map((node) => node.id);
  const bare = missing.length > 0 && missing.length === document.nodes.length;
  const laidOut = useLayout(document, kinds, bare);
  return useMemo(() => {
    if (!missing.length) return held;
    if (bare) return laidOut;
    return withFreePlaces(document, held);
    // The list of missing ids follows from the document.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [document, held, bare, laidOut]);
}

function withFreePlaces(document: GraphDocument, held: Places): Places {
  const rows = rowLayout(document);
  const places: Record<string, Point> = { ...held };
  for (const node of document.nodes) places[node.id] ??= freePlace(places, rows[node.id] ?? { x: 0, y: 0 });
  return places;
}

/** ELK takes too long over a graph of many hundred nodes to wait for it at every opening. */
const MOST_FOR_ELK = 200;

function firstLayout(document: GraphDocument, kinds: Kinds): Promise<Places> {
  return document.nodes.length > MOST_FOR_ELK
    ? Promise.resolve(rowLayout(document))
    : tidy(document, kinds, elkEngine());
}

function useLayout(document: GraphDocument, kinds: Kinds, wanted: boolean): Places | null {
  const [places, setPlaces] = useState<Places | null>(null);
  useEffect(() => {
    if (!wanted) return undefined;
    let current = true;
    firstLayout(document, kinds)
      .catch(() => rowLayout(document))
      .then((found) => current && setPlaces(found))
      .catch(() => undefined);
    return () => {
      current = false;
    };
  }, [document, kinds, wanted]);
  return places;
}
