import js from "@eslint/js";
import prettier from "eslint-config-prettier";
import { createTypeScriptImportResolver } from "eslint-import-resolver-typescript";
import importX from "eslint-plugin-import-x";
import hooks from "eslint-plugin-react-hooks";
import globals from "globals";
import { readdirSync } from "node:fs";
import tseslint from "typescript-eslint";

const features = readdirSync(new URL("./src/features", import.meta.url));

/** Who may import whom: routes join features, features know no other feature, the rest knows neither. */
const zones = [
  { target: "./src/features", from: "./src/app" },
  {
    target: ["./src/graph", "./src/run", "./src/lib", "./src/components", "./src/api"],
    from: ["./src/features", "./src/app"],
  },
  ...features.map((name) => ({
    target: `./src/features/${name}`,
    from: "./src/features",
    except: [`./${name}`],
  })),
];

export default tseslint.config(
  { ignores: ["dist", "src/api/schema.d.ts"] },
  js.configs.recommended,
  {
    files: ["src/**/*.{ts,tsx}", "vite.config.ts"],
    extends: [...tseslint.configs.strictTypeChecked],
    plugins: { "import-x": importX },
    languageOptions: {
      globals: globals.browser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    settings: { "import-x/resolver-next": [createTypeScriptImportResolver()] },
    rules: {
      "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["error", { max: 80, skipBlankLines: true, skipComments: true }],
      complexity: ["error", 10],
      "import-x/no-cycle": "error",
      "import-x/no-restricted-paths": ["error", { zones }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/only-throw-error": "off",
    },
  },
  { files: ["src/**/*.{ts,tsx}"], ...hooks.configs.flat.recommended },
  {
    files: ["src/graph/**", "src/run/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        { patterns: [{ regex: "^(react|zustand|@tanstack)", message: "Knows no framework." }] },
      ],
    },
  },
  {
    files: ["src/**/*.test.{ts,tsx}", "src/testing/**"],
    rules: { "max-lines-per-function": "off", "max-lines": "off" },
  },
  {
    files: ["public/**", "scripts/**", "*.js"],
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
  },
  prettier,
);
