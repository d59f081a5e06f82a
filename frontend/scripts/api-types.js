// Makes src/api/schema.d.ts from the OpenAPI description the backend prints, or checks that it is up to date.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";

const root = fileURLToPath(new URL("../..", import.meta.url));
const target = fileURLToPath(new URL("../src/api/schema.d.ts", import.meta.url));
const local = `${root}.venv/bin/python`;
const python = process.env["HEDDLE_PYTHON"] ?? (existsSync(local) ? local : "python3");

// Describing the API connects to nothing, but the settings refuse to load without these.
const unused = {
  HEDDLE_SECRET_KEY: randomBytes(32).toString("hex"),
  HEDDLE_CREDENTIAL_KEYS: `k1:${randomBytes(32).toString("base64")}`,
  DATABASE_URL: "postgresql://unused@127.0.0.1/unused",
  REDIS_URL: "redis://127.0.0.1/0",
};

const description = execFileSync(python, ["manage.py", "spectacular", "--format", "openapi-json"], {
  cwd: root,
  encoding: "utf-8",
  env: { ...unused, ...process.env },
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
