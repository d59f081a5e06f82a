import { expect, it } from "vitest";
import { fileName } from "./download";

it("makes a file's name of a workflow's name", () => {
  expect([fileName("Vendor due-diligence (v2)!", "yaml"), fileName("日本", "json")]).toEqual([
    "vendor-due-diligence-v2.yaml",
    "workflow.json",
  ]);
});
