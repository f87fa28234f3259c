import { isDeepStrictEqual } from "node:util";
import { INPUT, WRONG_OUTPUT, add } from "./contract.ts";
import type { Plan } from "./load/plan.ts";
import { type Dialect, ask, toCallRequest, toRequest } from "./messages.ts";
import type { Running } from "./start.ts";

interface ListedTool {
  readonly name: string;
  readonly inputSchema?: { readonly required?: readonly string[] };
  readonly outputSchema?: { readonly required?: readonly string[] };
}

interface Answer {
  readonly error?: { readonly message: string };
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: unknown;
    readonly tools?: readonly ListedTool[];
    readonly nextCursor?: string;
  };
}

/**
 * Checks that a contender does all of the work before it is timed: answers right, refuses wrong input, wrong output and
 * unknown tools, and lists every tool with both schemas. Throws an error that says what it does not do.
 */
export async function smokeTest({ url, tools }: Running, dialect: Dialect): Promise<void> {
  const call = toCallRequest(dialect, tools);
  const { name, arguments: input } = (JSON.parse(call.body) as { params: { name: string; arguments: object } }).params;
  const answerTo = async (params: { name?: string; arguments?: object }): Promise<Answer> =>
    ask(url, toRequest(dialect, "tools/call", { name, arguments: input, ...params }));

  const good = await answerTo({});
  if (!isDeepStrictEqual(good.result?.structuredContent, add({ ...INPUT, ...input }))) {
    throw new Error(`A good call is answered with ${show(good)}.`);
  }
  const { note: _, ...incomplete } = { ...INPUT, ...input };
  const refusals = {
    "a unit that is none": { arguments: { ...input, unit: "mile" } },
    "a number out of range": { arguments: { ...input, a: 1e9 } },
    "missing input": { arguments: incomplete },
    "output that does not fit": { arguments: { ...input, note: WRONG_OUTPUT } },
    "an unknown tool": { name: "subtract" },
  };
  for (const [what, params] of Object.entries(refusals)) {
    const answer = await answerTo(params);
    if (answer.error === undefined && answer.result?.isError !== true) {
      throw new Error(`Not refused: ${what}. The answer is ${show(answer)}.`);
    }
  }
  await planLists({ url, tools }, dialect);
}

/** The requests that list all tools, one for each page; every tool has to be there, with both schemas. */
export async function planLists(
  { url, tools }: Pick<Running, "url" | "tools">,
  dialect: Dialect,
): Promise<Plan & { readonly pages: number }> {
  const requests = [toRequest(dialect, "tools/list", {})];
  const listed: ListedTool[] = [];
  for (let page = requests[0]; page !== undefined;) {
    const { result, ...rest }: Answer = await ask(url, page);
    if (result?.tools === undefined) throw new Error(`tools/list is answered with ${show(rest)}.`);
    listed.push(...result.tools);
    page =
      result.nextCursor === undefined ? undefined : toRequest(dialect, "tools/list", { cursor: result.nextCursor });
    if (page !== undefined) requests.push(page);
  }
  if (listed.length !== (dialect.contender.effects === true ? 1 : tools)) {
    throw new Error(`tools/list has ${listed.length} tools instead of ${tools}.`);
  }
  for (const { name, inputSchema, outputSchema } of listed) {
    if (inputSchema?.required?.length !== 5 || outputSchema?.required?.length !== 4) {
      throw new Error(`tools/list shows \`${name}\` without both of its schemas.`);
    }
  }
  return { url, requests, needle: '"inputSchema"', pages: requests.length };
}

function show(answer: Answer): string {
  return JSON.stringify(answer).slice(0, 300);
}
