/** The sample workflows that came with this build, offered where there is nothing yet. */
import { queryOptions } from "@tanstack/react-query";
import type { GraphDocument } from "@/graph/graph";

export interface Sample {
  text: string;
  document: GraphDocument;
}

const most = 3;

const files = import.meta.glob<string>("../../../../gallery/samples/*.yaml", {
  query: "?raw",
  import: "default",
});

async function loadSamples(): Promise<Sample[]> {
  const { parse } = await import("yaml");
  const texts = await Promise.all(
    Object.values(files)
      .slice(0, most)
      .map((load) => load()),
  );
  return texts.map((text) => ({ text, document: parse(text) as GraphDocument }));
}

export const samplesQuery = queryOptions({
  queryKey: ["samples"],
  queryFn: loadSamples,
  staleTime: Infinity,
});
