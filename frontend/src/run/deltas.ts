/** Streamed text of a running step, put together from pieces that may come twice or out of order. */

export interface Delta {
  step_id: string;
  attempt: number;
  offset: number;
  text: string;
}

export interface Stream {
  attempt: number;
  /** Text from the beginning up to the first hole. */
  text: string;
  /** Pieces behind a hole, by offset. */
  ahead: ReadonlyMap<number, string>;
}

export type Streams = ReadonlyMap<string, Stream>;

export const NO_STREAMS: Streams = new Map();
const HOLE = " … ";

/** Apply pieces; one that is known changes nothing, a newer attempt begins anew. */
export function applyDeltas(streams: Streams, deltas: readonly Delta[]): Streams {
  if (!deltas.length) return streams;
  const next = new Map(streams);
  for (const delta of deltas) {
    const before = next.get(delta.step_id);
    if (before && before.attempt > delta.attempt) continue;
    const stream =
      before?.attempt === delta.attempt
        ? before
        : { attempt: delta.attempt, text: "", ahead: new Map<number, string>() };
    next.set(delta.step_id, applyDelta(stream, delta));
  }
  return next;
}

function applyDelta(stream: Stream, { offset, text }: Delta): Stream {
  if (offset > lengthOf(stream.text)) return { ...stream, ahead: new Map(stream.ahead).set(offset, text) };
  return closeHoles({ ...stream, text: joined(stream.text, offset, text) });
}

function closeHoles(stream: Stream): Stream {
  const ahead = [...stream.ahead].sort(([left], [right]) => left - right);
  const rest: [number, string][] = [];
  let { text } = stream;
  for (const [offset, piece] of ahead) {
    if (offset > lengthOf(text)) rest.push([offset, piece]);
    else text = joined(text, offset, piece);
  }
  return { ...stream, text, ahead: new Map(rest) };
}

function joined(text: string, offset: number, piece: string): string {
  const overlap = lengthOf(text) - offset;
  const characters = Array.from(piece);
  return overlap >= characters.length ? text : text + characters.slice(overlap).join("");
}

/** Offsets count characters as Python does, not UTF-16 units. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** The text as it is shown: pieces behind a hole follow it, the hole marked. */
export function streamText(stream: Stream): string {
  const ahead = [...stream.ahead].sort(([left], [right]) => left - right).map(([, piece]) => piece);
  return [stream.text, ...ahead].join(HOLE);
}

/** The last words of a stream, for the box on the card. */
export function streamTail(stream: Stream, characters: number): string {
  const text = streamText(stream).replace(/\s+/g, " ");
  return text.length <= characters ? text : `…${text.slice(text.indexOf(" ", text.length - characters) + 1)}`;
}
