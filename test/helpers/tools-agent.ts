import { tunedAgentFiles } from "../fixtures/tuned-agent.ts";
import { MARKUP } from "./console-agent.ts";
import { createRepository } from "./repository.ts";
import { type AtEnd, temporaryFolder } from "./temporary.ts";
import { TONES } from "./tuned-service.ts";

const ORDER = (maximum: number) => `name: runner.order
version: ${maximum === 9 ? "1.0.0" : "2.0.0"}
title: Order
description: ${JSON.stringify(`Orders things. ${MARKUP}`)}
sideEffect: true
input:
  type: object
  required: [article, amount]
  properties:
    article: { type: string, minLength: 2, maxLength: 40, description: ${JSON.stringify(MARKUP)} }
    amount: { type: integer, minimum: 1, maximum: ${maximum} }
    wrapped: { type: boolean, default: false }
    speed: { enum: [slow, fast], description: How soon. }
    region: { type: string, x-mcp-header: Region }
    to:
      type: object
      required: [street]
      properties: { street: { type: string }, code: { type: string, pattern: "^[0-9]{4}$" } }
      additionalProperties: false
    notes: { type: array, maxItems: 3, items: { type: string } }
    code: { enum: [1, "1", null, "null"] }
    extra: { oneOf: [{ type: string }, { type: object, properties: { gift: { type: string } }, required: [gift] }] }
  additionalProperties: false
output: { type: object, required: [ordered], properties: { ordered: { type: object, description: What was ordered. } } }
examples:
  - description: Two wrapped lamps.
    input: { article: lamp, amount: 2, wrapped: true, to: { street: Main Street } }
    matches: { type: object }
`;
const PLAIN = "input: { type: object }\noutput: { type: object, properties: { name: { type: string } } }\n";

/** Tools of every kind that a page shows or tries: with effects, with reports of progress, with a question, tuned ones. */
const files = (maximum: number) => ({
  "manifests/bare/server.yaml": "name: bare\ndescription: Tools alone.\ninstructions: Use them.\n",
  "manifests/bare/nothing.yaml": `name: bare.nothing\nversion: 1.0.0\ndescription: Does nothing.\n${PLAIN}`,
  "tools/bare/nothing.ts": "export default () => ({});\n",
  "manifests/runner/order.yaml": ORDER(maximum),
  "tools/runner/order.ts": "export default (input) => ({ ordered: input });\n",
  "manifests/runner/steps.yaml": `name: runner.steps\nversion: 1.0.0\ndescription: Goes in steps.\n${PLAIN}`,
  "tools/runner/steps.ts": `export default (_input, ctx) => {
  for (const done of [1, 2, 3]) ctx.progress(done, 3, "Step " + done);
  ctx.log.info(${JSON.stringify(MARKUP)});
  return { name: "done" };
};
`,
  "manifests/runner/ask.yaml": `name: runner.ask\nversion: 1.0.0\ndescription: Asks for a name.\ninteractive: true\nuses: [elicit]\n${PLAIN}`,
  "tools/runner/ask.ts": `export default async (_input, ctx) => {
  const schema = { type: "object", required: ["name"], properties: { name: { type: "string", description: "As friends say it." }, age: { type: "integer", minimum: 1 } } };
  const { action, content } = await ctx.elicit("name", { message: ${JSON.stringify(`Your name? ${MARKUP}`)}, schema });
  return { name: action === "accept" ? content.name : action };
};
`,
});

/** Creates a repository whose 1.0.0 is deprecated and whose 2.0.0 takes less of an input. */
export async function createToolsRepository(atEnd: AtEnd): Promise<string> {
  const made = await createRepository(await temporaryFolder(atEnd));
  await made.release("1.0.0", tunedAgentFiles({ version: "1.0.0", style: TONES, files: files(9) }));
  const next = tunedAgentFiles({ version: "2.0.0", parent: "1.0.0", style: TONES, files: files(5) });
  const end = `  1.0.0:\n    changes: []\n    deprecated: { since: 2026-01-01, successor: 2.0.0, reason: ${JSON.stringify(MARKUP)} }\n`;
  const versions = String(next["versions.yaml"]).replace("  1.0.0:\n    changes: []\n", () => end);
  await made.release("2.0.0", { ...next, "versions.yaml": versions });
  return made.path;
}
