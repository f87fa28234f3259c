import { expect, vi } from "vitest";
import type { Change, ChangeStatus, CheckResult, Proposal } from "../../../../server/forge/forge.ts";
import type { ForgeBench } from "./bench.ts";

export const REQUIRED = ["semver", "test"];
export const SUCCESS = { status: "completed", conclusion: "success", summary: "All is well." } satisfies CheckResult;
export const FAILURE = { status: "completed", conclusion: "failure", summary: "2 of 3 failed." } satisfies CheckResult;

const START = { "a.txt": "one\ntwo\nthree\n", "b.txt": "b\n", "bin/run": { executable: "#!/bin/sh\n" } };

export const PATIENCE = { timeout: 20_000, interval: 50 };

/** A forge whose `main` has a commit with a few files. */
export async function start<Bench extends ForgeBench>(
  open: (options: { readonly required: readonly string[] }) => Promise<Bench>,
) {
  const bench = await open({ required: REQUIRED });
  const from = await bench.push("main", START);
  await bench.forge.sync([]);
  return { bench, forge: bench.forge, from };
}

export function proposal(key: string, from: string, files: Readonly<Record<string, string | Uint8Array | null>>) {
  return {
    key,
    from,
    base: "main",
    title: `Change ${key}`,
    body: "Because it is asked for.\n\nTwice.",
    author: { name: "Cairn Architect", email: "architect@example.com" },
    message: `Change ${key}\n\nIt is asked for.`,
    files: new Map(Object.entries(files)),
  } satisfies Proposal;
}

export async function green({ forge }: ForgeBench, head: string): Promise<void> {
  for (const check of REQUIRED) await forge.report(head, check, SUCCESS);
}

export async function texts(bench: ForgeBench, commit: string): Promise<Record<string, string>> {
  const files = await bench.read(commit);
  return Object.fromEntries([...files].map(([path, { content }]) => [path, content.toString()]));
}

/** A forge may need a while to tell. */
export async function mergeable({ forge }: ForgeBench, change: Change): Promise<ChangeStatus["mergeable"]> {
  return vi.waitFor(async () => {
    const status = await forge.status(change);
    expect(status.mergeable).not.toBe("unknown");
    return status.mergeable;
  }, PATIENCE);
}
