import { latestChecks } from "./mergeability.ts";
import type { State } from "./state.ts";

/** What a person sees of a pull request, at the address that GitHub gives for it; `undefined` for any other path. */
export function readPullPage(state: State, path: string): string | undefined {
  const [, place, number] = /^\/([^/]+\/[^/]+)\/pull\/(\d+)$/.exec(path) ?? [];
  const pull = state.pulls.find((one) => String(one.number) === number);
  if (place !== `${state.owner}/${state.repo}` || pull === undefined) return undefined;
  const checks = latestChecks(state, pull.headOid).map(({ name, conclusion, output }) =>
    [`- ${name}: ${conclusion ?? "running"}`, ...output.summary.split("\n").map((line) => `    ${line}`)].join("\n"),
  );
  return [
    `#${pull.number} ${pull.title}`,
    `${pull.mergedAs === undefined ? pull.state : `merged as ${pull.mergedAs}`}: ${pull.head} (${pull.headOid}) into ${pull.base}`,
    pull.body,
    `Checks:\n${checks.join("\n") || "- none"}`,
    ...pull.comments.map(({ login, body }) => `${login}: ${body}`),
    "",
  ].join("\n\n");
}
