// Writes console/service/answers.ts: the types of what the console is answered, from the schemas of the answers.
import { readFileSync, writeFileSync } from "node:fs";
import { format } from "prettier";
import { toType } from "../server/imports/types/to-types.ts";

export const CONSOLE_TYPES = "console/service/answers.ts";
/** Schemas of answers that pages read. A page that reads another adds it here, and runs `npm run types:console`. */
const ANSWERS = [
  "approvals",
  "architect-feedback",
  "calls",
  "conversation",
  "feedback-list",
  "limits",
  "me",
  "problem-details",
  "replays",
  "rights",
  "run",
  "sync",
  "task",
  "tokens",
  "tool-list",
  "usage",
  "version-detail",
  "version-difference",
  "version-graph",
  "waiting-call-shown",
];

/** Renders the file, as prettier leaves it. */
export async function renderConsoleTypes(): Promise<string> {
  const types = ANSWERS.map((name) => {
    const schema: unknown = JSON.parse(readFileSync(`schemas/${name}.schema.json`, "utf8"));
    const typeName = name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return `/** As \`schemas/${name}.schema.json\` has it. */\nexport type ${typeName} = ${toType(schema, "handler")};\n`;
  });
  const text = `// Written by \`npm run types:console\` from the schemas; a change here is lost.\n\n${types.join("\n")}`;
  return format(text, { parser: "typescript", printWidth: 120 });
}

if (import.meta.main) writeFileSync(CONSOLE_TYPES, await renderConsoleTypes());
