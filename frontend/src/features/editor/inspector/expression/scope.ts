/** What an expression of the selected node may name, kept where the code editor can read it at any time. */
import { createContext, useContext } from "react";
import type { GraphDocument } from "@/graph/graph";
import type { SampleOutputs } from "@/graph/references";

export interface ExpressionScope {
  document: GraphDocument;
  nodeId: string;
  samples: SampleOutputs;
  /** The setting is evaluated for each item or round, and reads what is inside. */
  deferred: boolean;
  iconOf: (nodeId: string) => string;
}

export type ReadScope = () => ExpressionScope | null;

export const ScopeContext = createContext<ReadScope>(() => null);

export function useReadScope(): ReadScope {
  return useContext(ScopeContext);
}
