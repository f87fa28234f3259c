import { expect } from "vitest";
import type { GitHubHost } from "../stand-ins/github/start-github-host.ts";
import { type ArchitectGitHub, describeHost } from "./architect-github.ts";

const REPOSITORY = "/repos/{owner}/{repo}";

/** A moment of a change: when a request of a route has come for the nth time, or when it was done and is not answered. */
export interface Moment {
  readonly route: string;
  readonly nth: number;
  readonly when: "asked" | "done";
}

export const asked = (route: string, nth = 1): Moment => ({
  route: route.replace("/", `${REPOSITORY}/`),
  nth,
  when: "asked",
});
export const finished = (route: string, nth = 1): Moment => ({ ...asked(route, nth), when: "done" });

/** Kills at a moment who made the request; resolves when that was done. */
export function killAt(host: GitHubHost, { route, nth, when }: Moment, kill: () => Promise<unknown>): Promise<void> {
  return new Promise((killed, fail) => {
    const end = () => kill().then(() => killed(), fail);
    const wait = (left: number) => {
      host.before.set(route, async () => {
        if (left > 1) return wait(left - 1);
        if (when === "asked") return end();
        host.faults.order({ route, kind: "hang", done: true });
        // Requests are done one after the other: once these are answered, that one was done.
        const { token } = host.credentials.issueInstallationToken();
        const look = () => host.ask(token, "GET /repos/acme/tools");
        void look().then(look).then(end, fail);
        return undefined;
      });
    };
    wait(nth);
  });
}

/** Expects that of so many changes since 1.0.0, each was proposed, merged and tagged once, the last with this answer. */
export async function expectLandedOnce(
  bench: ArchitectGitHub,
  answer: Readonly<Record<string, unknown>>,
  changes: number,
): Promise<void> {
  const { state } = bench.host;
  expect(answer).toMatchObject({ result: "committed", new_version: `1.${changes}.0` });
  const numbers = Array.from({ length: changes }, (_, index) => index + 1);
  expect(await describeHost(bench)).toEqual({
    pulls: numbers.map((number) => ({ number, is: "merged" })),
    refs: ["refs/heads/main", "refs/tags/v1.0.0", ...numbers.map((number) => `refs/tags/v1.${number}.0`)].toSorted(),
  });
  expect((await bench.read("main", "versions.yaml")).match(/^ {2}\d+\.\d+\.\d+:/gm)).toHaveLength(changes + 1);
  expect(await state.git.git(["rev-list", "--count", "main"])).toBe(String(changes + 1));
  expect(answer["commit_hash"]).toBe(await state.git.git(["rev-parse", `v1.${changes}.0^{commit}`]));
  const { headOid, labels } = state.pulls.at(-1) ?? { headOid: "", labels: [] };
  expect(labels).toEqual(["cairn"]);
  expect(state.checks.filter(({ name, head }) => name === "cairn" && head === headOid)).toHaveLength(1);
}
