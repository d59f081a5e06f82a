// Makes src/api/schema.d.ts from the OpenAPI description the backend prints, or checks that it is up to date.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";

const root = fileURLToPath(new URL("../..", import.meta.url));
const target = fileURLToPath(new URL("../src/api/schema.d.ts", import.meta.url));
const local = `${root}.venv/bin/python`;
const python = process.env["HEDDLE_PYTHON"] ?? (existsSync(local) ? local : "python3");

const description = execFileSync(python, ["manage.py", "spectacular", "--format", "openapi-json"], {
  cwd: root,
  encoding: "utf-8",
  maxBuffer: 64 * 1024 * 1024,
});
const head = "/** Made from the API's OpenAPI description by `npm run api:types`; not edited by hand. */\n";
const types = head + astToString(await openapiTS(JSON.parse(description), { defaultNonNullable: false }));

if (process.argv.includes("--check")) {
  const current = existsSync(target) ? readFileSync(target, "utf-8") : "";
  if (current !== types) {
    console.error("src/api/schema.d.ts is older than the API. Run: npm run api:types");
    process.exit(1);
  }
} else {
  writeFileSync(target, types);
}
