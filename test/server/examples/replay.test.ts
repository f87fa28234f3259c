import { describe, expect, test } from "vitest";
import type { Trial } from "../../../server/examples/open-trial.ts";
import { createReplay } from "../../../server/examples/replay.ts";
import type { Json } from "../../../server/store/store.ts";
import type { Tool } from "../../../server/versions/version.ts";
import { createTestVersion } from "../../helpers/test-version.ts";

const SECRET = "swordfish-9";
const ISSUE = { name: "runner.issue", server: "runner", deterministic: true, redact: ["/token"] } as const;
const MASKED = { token: "[redacted]", say: "made [redacted] v1" };

interface Case {
  readonly recorded?: Json;
  readonly old?: Partial<Tool>;
  readonly young?: Partial<Tool>;
  readonly output?: Json;
  readonly error?: { readonly name: string; readonly message: string };
  /** How the version of the call itself ends now; absent: as it did. */
  readonly again?: Json;
}

const NOTHING = { missed: undefined, deviations: [], writes: new Map(), isLate: false };

/** Replays a call that was recorded with `recorded` as its output; the candidate ends as given. */
function replay({ recorded = MASKED, old, young, output = null, error, again = recorded }: Case) {
  const from = createTestVersion({ tools: [{ ...ISSUE, ...old }], commit: "a".repeat(40) });
  const candidate = createTestVersion({ tools: [{ ...ISSUE, ...old, ...young }], commit: "b".repeat(40) });
  const trial: Pick<Trial, "play"> = {
    play: async ({ candidate: asked }) => {
      if (asked === from) return { ...NOTHING, end: { ok: true, output: again } };
      return { ...NOTHING, end: error === undefined ? { ok: true, output } : { ok: false, error: error as never } };
    },
  };
  const call = { schemaVersion: 1, tool: ISSUE.name, input: {}, output: recorded, at: 0, id: "1" } as const;
  return createReplay(from, candidate, trial)(call);
}

describe("a replay of a call of which something was masked", () => {
  test.each<[string, Case, readonly string[]]>([
    [
      "another text of the output",
      { output: { token: "none", say: `made ${SECRET} v1` } },
      ['/say: expected "made [redacted] v1", got a text of 19 characters (not shown)'],
    ],
    [
      "a member that was not there",
      { output: { ...MASKED, more: SECRET, [SECRET]: 1 } },
      ["the output: expected nothing, got something more (not shown)"],
    ],
    [
      "the message of an error",
      { error: { name: "NOT_FOUND", message: `no ${SECRET}` } },
      ["it ends with NOT_FOUND (message not shown)"],
    ],
    [
      "a place that only the candidate redacts, and another one",
      { recorded: { say: "x" }, young: { redact: ["/key"] }, output: { key: SECRET, say: `no ${SECRET}` } },
      [
        '/say: expected "x", got a text of 14 characters (not shown)',
        "the output: expected nothing, got something more (not shown)",
      ],
    ],
  ])("shows nothing of it where the candidate has it in %s", async (_where, given, reasons) => {
    const replayed = await replay(given);
    expect(replayed).toMatchObject({ outcome: "different", reasons });
    expect(JSON.stringify(replayed)).not.toContain(SECRET);
  });

  test("is the same where nothing differs but the masked value, and shows values where nothing was masked", async () => {
    const same = { token: SECRET, say: `made ${SECRET} v1` };
    expect(await replay({ output: same })).toMatchObject({ outcome: "same", reasons: [] });
    const open = { recorded: { say: "x" }, output: { say: "y" } };
    expect(await replay(open)).toMatchObject({
      reasons: ['/say: expected "x", got "y"'],
      differences: [{ path: "/say", expected: "x", actual: "y" }],
    });
  });
});

describe("a replay without a tape", () => {
  test("compares nothing of a tool that is not deterministic in both versions", async () => {
    const reasons = ["its answer is not deterministic, and it has no tape"];
    const loose = { deterministic: false };
    for (const given of [{ old: loose }, { young: loose }, { old: loose, young: { deterministic: true } }]) {
      expect(await replay({ ...given, output: MASKED })).toMatchObject({ outcome: "not_compared", reasons });
    }
  });

  test("compares nothing where the version of the call does not repeat it either", async () => {
    expect(await replay({ recorded: { say: "x" }, output: { say: "y" }, again: { say: "z" } })).toMatchObject({
      outcome: "not_compared",
      reasons: ["its own version does not repeat it either, so it depends on something that was not recorded"],
    });
  });
});
