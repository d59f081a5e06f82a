/** Ways of edges: orthogonal threads that bend in the gaps between rows and go around cards where they can. */

import type { Point } from "./graph";

/** A card that edges should not cross. */
export interface Obstacle extends Point {
  id: string;
  width: number;
  height: number;
}

export interface RouteRequest {
  from: Point;
  to: Point;
  fromNode: string;
  toNode: string;
}

const BEND = 16;
const CLEARANCE = 8;
/** How far beside a card a thread passes it. */
const LANE = 10;
const RADIUS = 8;
const SIDESTEP = 112;

/** Find the corner points of an edge, for a graph that runs down or to the right. */
export function route(
  request: RouteRequest,
  obstacles: readonly Obstacle[],
  direction: "down" | "right",
): Point[] {
  if (direction === "down") return routeDown(request, obstacles);
  const turned = { ...request, from: flip(request.from), to: flip(request.to) };
  const cards = obstacles.map((card) => ({ ...card, ...flip(card), width: card.height, height: card.width }));
  return routeDown(turned, cards).map(flip);
}

function flip({ x, y }: Point): Point {
  return { x: y, y: x };
}

function routeDown({ from, to, fromNode, toNode }: RouteRequest, obstacles: readonly Obstacle[]): Point[] {
  const others = obstacles.filter((card) => card.id !== fromNode && card.id !== toNode);
  if (to.y - from.y < BEND) return aroundBehind(from, to);
  if (Math.abs(from.x - to.x) < 1 && columnFree(from.x, from.y, to.y, others))
    return [from, { x: from.x, y: to.y }];
  const nearTarget = to.y - BEND;
  const nearSource = from.y + BEND;
  if (to.y - from.y <= 3 * BEND || columnFree(from.x, from.y, nearTarget, others))
    return bent(from, to, nearTarget);
  if (columnFree(to.x, nearSource, to.y, others)) return bent(from, to, nearSource);
  return throughLane(from, to, others);
}

function bent(from: Point, to: Point, y: number): Point[] {
  const middle = to.y - from.y < 2 * BEND ? (from.y + to.y) / 2 : y;
  return [from, { x: from.x, y: middle }, { x: to.x, y: middle }, to];
}

function throughLane(from: Point, to: Point, others: readonly Obstacle[]): Point[] {
  const top = from.y + BEND;
  const bottom = to.y - BEND;
  const between = others.filter((card) => card.y + card.height > top && card.y < bottom);
  const beside = between.flatMap((card) => [card.x - LANE, card.x + card.width + LANE]);
  const cost = (x: number) => Math.abs(x - from.x) + Math.abs(x - to.x);
  const lanes = [...new Set(beside)].sort((left, right) => cost(left) - cost(right));
  const lane = lanes.find((x) => columnFree(x, top, bottom, between)) ?? from.x;
  return [
    from,
    { x: from.x, y: top },
    { x: lane, y: top },
    { x: lane, y: bottom },
    { x: to.x, y: bottom },
    to,
  ];
}

function aroundBehind(from: Point, to: Point): Point[] {
  const side = (from.x + to.x) / 2 + (Math.abs(from.x - to.x) < SIDESTEP ? SIDESTEP : 0);
  return [
    from,
    { x: from.x, y: from.y + BEND },
    { x: side, y: from.y + BEND },
    { x: side, y: to.y - BEND },
    { x: to.x, y: to.y - BEND },
    to,
  ];
}

function columnFree(x: number, top: number, bottom: number, cards: readonly Obstacle[]): boolean {
  return !cards.some(
    (card) =>
      x > card.x - CLEARANCE &&
      x < card.x + card.width + CLEARANCE &&
      bottom > card.y - CLEARANCE &&
      top < card.y + card.height + CLEARANCE,
  );
}

/** Turn corner points into an SVG path with rounded corners. */
export function roundedPath(points: readonly Point[]): string {
  const corners = withoutRepeats(points);
  return corners.map((point, index) => segment(corners, point, index)).join("");
}

function segment(corners: readonly Point[], point: Point, index: number): string {
  const before = corners[index - 1];
  const after = corners[index + 1];
  if (!before) return `M${xy(point)}`;
  if (!after) return `L${xy(point)}`;
  const radius = Math.min(RADIUS, distance(before, point) / 2, distance(point, after) / 2);
  return `L${xy(towards(point, before, radius))}Q${xy(point)} ${xy(towards(point, after, radius))}`;
}

function withoutRepeats(points: readonly Point[]): Point[] {
  return points.filter((point, index) => {
    const before = points[index - 1];
    return !before || distance(before, point) > 0.5;
  });
}

function towards(from: Point, to: Point, length: number): Point {
  const whole = distance(from, to) || 1;
  return { x: from.x + ((to.x - from.x) * length) / whole, y: from.y + ((to.y - from.y) * length) / whole };
}

function distance(left: Point, right: Point): number {
  return Math.hypot(left.x - right.x, left.y - right.y);
}

function xy({ x, y }: Point): string {
  return `${String(Math.round(x * 10) / 10)} ${String(Math.round(y * 10) / 10)}`;
}

/** The middle of the longest straight part: where a label or the insert button sits. */
export function labelPoint(points: readonly Point[]): Point {
  let best: { length: number; at: Point } | null = null;
  points.forEach((point, index) => {
    const next = points[index + 1];
    if (!next) return;
    const length = distance(point, next);
    if (!best || length > best.length)
      best = { length, at: { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 } };
  });
  return (best as { at: Point } | null)?.at ?? points[0] ?? { x: 0, y: 0 };
}
