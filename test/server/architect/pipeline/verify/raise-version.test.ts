import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  raiseVersion,
  type Raised,
  type RaiseRequest,
} from "../../../../../server/architect/pipeline/verify/raise-version.ts";
import { loadCandidate } from "../../../../../server/architect/pipeline/verify/load-candidate.ts";
import { judgeDifference } from "../../../../../server/semver/judge-difference.ts";
import { compareVersions } from "../../../../../server/semver/compare-versions.ts";
import { agentFiles } from "../../../../helpers/agent.ts";
import { openVerifyBench, type VerifyBench } from "../../../../helpers/verify.ts";

const MANIFEST = "manifests/runner/greet.yaml";
const HANDLER = "tools/runner/greet.ts";
const GREET = {
  handler: "export default () => ({});\n",
  manifest: "input: { type: object, properties: { name: { type: string } } }\n",
};
const AT = Date.UTC(2026, 5, 1);

const filesOf = (version: string) =>
  agentFiles({ version, tools: { greet: GREET, hail: { handler: "export default () => ({});\n" } } });

function raise({ before, workspace, loader, against }: VerifyBench, more: Partial<RaiseRequest> = {}): Promise<Raised> {
  return raiseVersion({
    before: before.version,
    released: before.version,
    workspace,
    changes: ["Says more."],
    against,
    taken: () => false,
    loader,
    now: () => AT,
    ...more,
  });
}

async function write({ workspace }: VerifyBench, files: Iterable<readonly [string, string]>): Promise<void> {
  for (const [path, text] of files) await workspace.fs.write(path, text);
}

describe("raising the version of a change", () => {
  test("writes the number of the tree with its parent, date and changes, and those of tools", async () => {
    const files = filesOf("1.4.2");
    const bench = await openVerifyBench(files);
    const manifest = files[MANIFEST]?.replace("Does greet.", "Greets. # warmly") ?? "";
    await write(bench, [[MANIFEST, manifest]]);
    const raised = await raise(bench);
    expect({ ...raised, files: Object.fromEntries(raised.files) }).toEqual({
      required: "patch",
      changes: ["Says more."],
      semver: "1.4.3",
      follows: "1.4.2",
      files: {
        [MANIFEST]: manifest.replace("version: 1.0.0", "version: 1.0.1"),
        "versions.yaml": `current: 1.4.3
versions:
  1.4.2:
    changes:
      - Changes of 1.4.2.
  1.4.3:
    parent: 1.4.2
    date: 2026-06-01T00:00:00Z
    changes:
      - Says more.
`,
      },
    });
  });

  test("gathers the change fragments of others, whose kinds raise the tree alone", async () => {
    const fragment = (kind: string, text: string) => `---\nkind: ${kind}\n---\n${text}\n`;
    const others = { "changes/README.md": "Ours.\n", "changes/a.md": fragment("minor", "Of others.") };
    const files = { ...filesOf("1.4.2"), ...others };
    const bench = await openVerifyBench(files);
    const manifest = filesOf("1.4.2")[MANIFEST]?.replace("Does greet.", "Greets.") ?? "";
    await write(bench, [[MANIFEST, manifest]]);
    const raised = await raise(bench);
    expect([raised.semver, raised.gathered]).toEqual(["1.5.0", ["changes/a.md"]]);
    expect(raised.files.get("versions.yaml")).toContain("      - Says more.\n      - Of others.\n");
    expect(raised.files.get(MANIFEST)).toContain("version: 1.0.1\n");
  });

  test("says what differs where nobody says what changes, and passes over numbers that are taken", async () => {
    const bench = await openVerifyBench(filesOf("1.4.2"));
    await write(bench, [[HANDLER, "export default () => ({ more: 1 });\n"]]);
    const { semver, files } = await raise(bench, {
      changes: [],
      least: "minor",
      taken: (name) => ["1.5.0", "1.6.0"].includes(name),
    });
    expect(semver).toBe("1.7.0");
    expect(files.get("versions.yaml")).toContain('- "Fixed: `tools/runner/greet.ts` has other code."');
    expect(files.get(MANIFEST)).toContain("version: 1.1.0\n");
  });

  test("says what differs in the place of a sentence that only names a file", async () => {
    const files = filesOf("1.4.2");
    const bench = await openVerifyBench(files);
    await write(bench, [[MANIFEST, files[MANIFEST]?.replace("Does greet.", "Greets warmly.") ?? ""]]);
    const { changes, files: raised } = await raise(bench, { changes: [`Changes \`${MANIFEST}\`.`] });
    expect(changes).toEqual([
      'Reworded: The description of the tool `runner.greet` is `"Greets warmly."`, and was `"Does greet."`.',
    ]);
    expect(raised.get("versions.yaml")).toContain("Greets warmly.");
    expect(raised.get("versions.yaml")).not.toContain("Changes `");
  });

  test("writes nothing where no version changes, or there is none", async () => {
    const nothing = {
      required: "none",
      semver: "1.4.2",
      follows: "1.4.2",
      changes: ["Says more."],
      files: new Map(),
    };
    const bench = await openVerifyBench(filesOf("1.4.2"));
    await write(bench, [["README.md", "Read.\n"]]);
    expect(await raise(bench)).toEqual(nothing);
    await write(bench, [[MANIFEST, "name: [\n"]]);
    expect(await raise(bench)).toEqual(nothing);
  });

  describe("on a base with a number that nobody has yet", () => {
    const UNRELEASED = `current: 1.5.0
labels:
  next: 1.5.0 # For who tries things.
versions:
  # Comes on Friday.
  1.5.0:
    parent: 1.4.2
    changes:
      # By hand.
      - Greets more warmly.
    date: 2026-05-29T00:00:00Z # Ask Pat first.
  1.4.2:
    changes:
      - Changes of 1.4.2.
`;

    /** A base whose tool may be greeted with a number, too, which is a minor change that somebody has raised it for. */
    async function openUnreleased(history = UNRELEASED) {
      const files = filesOf("1.4.2");
      const bench = await openVerifyBench(files);
      const manifest = (files[MANIFEST] ?? "")
        .replace("version: 1.0.0", "version: 1.1.0")
        .replace("type: string", "type: [string, number]");
      await write(bench, [
        [MANIFEST, manifest],
        ["versions.yaml", history],
      ]);
      const loaded = await bench.workspace.inspect((folder) => loadCandidate(folder, bench.loader));
      if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
      return { bench, manifest, base: loaded.candidate.version };
    }

    test("keeps the number that says enough since the last release, and adds what it changes", async () => {
      const { bench, manifest, base } = await openUnreleased();
      await write(bench, [[MANIFEST, manifest.replace("Does greet.", "Greets.")]]);
      const raised = await raise(bench, { before: base, released: bench.before.version });
      expect([raised.required, raised.semver, raised.follows]).toEqual(["patch", "1.5.0", "1.4.2"]);
      expect(Object.fromEntries(raised.files)).toEqual({
        "versions.yaml": UNRELEASED.replace(
          "      - Greets more warmly.\n    date: 2026-05-29T00:00:00Z # Ask Pat first.\n",
          "      - Greets more warmly.\n      - Says more.\n    date: 2026-06-01T00:00:00Z # Ask Pat first.\n",
        ),
      });
    });

    test("says of a change without sentences what it changes, and not what others have", async () => {
      const { bench, base } = await openUnreleased();
      await write(bench, [[HANDLER, "export default () => ({ more: 1 });\n"]]);
      const { files } = await raise(bench, { before: base, released: bench.before.version, changes: [] });
      expect(files.get("versions.yaml")).toContain(
        '- Greets more warmly.\n      - "Fixed: `tools/runner/greet.ts` has other code."\n    date',
      );
    });

    test("raises it where that says too little, in the place of the number that nobody has", async () => {
      const { bench, manifest, base } = await openUnreleased();
      await write(bench, [[MANIFEST, manifest.replace("input: { ", "input: { required: [name], ")]]);
      const raised = await raise(bench, { before: base, released: bench.before.version });
      expect([raised.required, raised.semver, raised.follows]).toEqual(["major", "2.0.0", "1.4.2"]);
      expect(raised.files.get(MANIFEST)).toContain("version: 2.0.0\n");
      expect(raised.files.get("versions.yaml")).toBe(
        UNRELEASED.replaceAll("1.5.0", "2.0.0").replace(
          "      - Greets more warmly.\n    date: 2026-05-29T00:00:00Z # Ask Pat first.\n",
          "      - Greets more warmly.\n      - Says more.\n    date: 2026-06-01T00:00:00Z # Ask Pat first.\n",
        ),
      );
    });

    test("raises by as much as is asked for, and no tools that others have changed", async () => {
      const { bench, base } = await openUnreleased();
      await write(bench, [["tools/runner/hail.ts", "export default () => ({ more: 1 });\n"]]);
      const request = { before: base, released: bench.before.version, least: "major" } as const;
      const raised = await raise(bench, request);
      expect([raised.semver, [...raised.files.keys()]]).toEqual([
        "2.0.0",
        ["manifests/runner/hail.yaml", "versions.yaml"],
      ]);
      expect((await raise(bench, { ...request, least: "minor" })).semver).toBe("1.5.0");
    });

    test("keeps the parent that it names, names the last release where there is none, and leaves what is no release alone", async () => {
      const parents = [
        UNRELEASED.replace("parent: 1.4.2", "parent: 1.4.0") + "  1.4.0:\n    changes: [First.]\n",
        UNRELEASED.replace("    parent: 1.4.2\n", ""),
      ];
      const written = [];
      for (const history of parents) {
        const { bench, base } = await openUnreleased(history);
        const request = { before: base, released: bench.before.version };
        await write(bench, [["README.md", "Read.\n"]]);
        expect(await raise(bench, request)).toEqual({
          required: "none",
          changes: ["Says more."],
          semver: "1.5.0",
          follows: "1.5.0",
          files: new Map(),
        });
        await write(bench, [[HANDLER, "export default () => ({ more: 1 });\n"]]);
        written.push(/parent: (.*)/.exec((await raise(bench, request)).files.get("versions.yaml") ?? "")?.[1]);
      }
      expect(written).toEqual(["1.4.0", "1.4.2"]);
    });
  });

  test("always makes a version whose numbers say enough", { timeout: 120_000 }, async () => {
    const edits: readonly (readonly [string, (text: string) => string])[] = [
      [MANIFEST, (text) => text.replace("Does greet.", "Greets.")],
      [MANIFEST, (text) => `${text}idempotent: false\n`],
      [MANIFEST, (text) => text.replace("type: string", "type: [string, number]")],
      [MANIFEST, (text) => text.replace("input: { ", "input: { required: [name], ")],
      [MANIFEST, (text) => `${text}requiredCapabilities: [greeting]\n`],
      [HANDLER, (text) => `${text}// More.\n`],
      ["manifests/agent.yaml", (text) => text.replace("name: test-agent", "name: other-agent")],
      ["manifests/runner/server.yaml", (text) => text.replace("Use them.", "Use them well.")],
      [
        "manifests/runner/more.yaml",
        () => "name: more\nversion: 1.0.0\ndescription: More.\ninput: { type: object }\noutput: { type: object }\n",
      ],
    ];
    for (const version of ["1.4.2", "0.3.1", "2.0.0-rc.1"]) {
      const files = filesOf(version);
      const bench = await openVerifyBench({ ...files, "tools/runner/more.ts": GREET.handler, ...MORE });
      await fc.assert(
        fc.asyncProperty(
          fc.subarray([...edits]),
          fc.constantFrom("none", "patch", "minor", "major"),
          fc.integer({ min: 0, max: 3 }),
          async (chosen, least, skips) => {
            await bench.workspace.reset();
            const texts = new Map<string, string>();
            for (const [path, edit] of chosen) texts.set(path, edit(texts.get(path) ?? files[path] ?? ""));
            await write(bench, texts);
            let asked = 0;
            const refused = new Set<string>();
            const taken = (semver: string) => {
              if (!refused.has(semver) && (asked += 1) <= skips) refused.add(semver);
              return refused.has(semver);
            };
            const raised = await raise(bench, { least, taken });
            await write(bench, raised.files);
            const loaded = await bench.workspace.inspect((folder) => loadCandidate(folder, bench.loader));
            if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
            const { candidate } = loaded;
            const difference = compareVersions(bench.before.version, candidate.version);
            expect(await judgeDifference(difference, bench.before, candidate, "all")).toEqual([]);
            expect(candidate.version.semver).toBe(raised.semver);
            expect(refused).not.toContain(raised.semver);
          },
        ),
        { numRuns: 15 },
      );
    }
  });
});

/** A tool that is there from the start, so that one edit describes it anew. */
const MORE = {
  "manifests/runner/more.yaml":
    "name: more\nversion: 1.0.0\ndescription: Less.\ninput: { type: object }\noutput: { type: object }\n",
};
