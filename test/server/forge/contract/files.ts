import { describe, expect, test } from "vitest";
import { PROPOSAL_LIMITS } from "../../../../server/forge/check-proposal.ts";
import type { Proposal } from "../../../../server/forge/forge.ts";
import type { OpenForge } from "./bench.ts";
import { proposal, start } from "./steps.ts";

const BAD_PATHS = [
  "",
  "../x",
  "a/../b",
  "a/../../b",
  "./a",
  "/abs",
  "a//b",
  "a/",
  ".git",
  ".git/hooks/x",
  ".GIT/config",
  "sub/.Git/config",
  "git~1/config",
  ".git./config",
  ".g\u{200c}it/config",
  "a\nb",
  "a\0b",
  "a\tb",
  "a\\b",
  "e\u{301}.txt",
  "\u{d800}",
  "x".repeat(300),
];

/** What becomes of the files of a proposal. */
export function describeFiles(open: OpenForge): void {
  describe("files", () => {
    test("with a path that could mean another place are refused before anything is written", async () => {
      const { forge, from, bench } = await start(open);
      for (const path of BAD_PATHS) {
        for (const content of ["x", null]) {
          const bad = proposal("bad", from, { "good.txt": "x", [path]: content });
          await expect(forge.propose(bad), JSON.stringify(path)).rejects.toMatchObject({ name: "BAD_REQUEST" });
        }
      }
      expect(await bench.refs()).toEqual(["refs/heads/main"]);
    });

    test("that stand in each other's place are refused", async () => {
      const { forge, from, bench } = await start(open);
      const refused = [
        proposal("bad", from, { x: "file", "x/y": "below a file" }),
        proposal("bad", from, { "a.txt/y": "below a file that is there" }),
        proposal("bad", from, { bin: "in place of a folder" }),
        proposal("bad", from, { bin: null }),
        proposal("bad", from, { "nothing.txt": null }),
      ];
      for (const each of refused) {
        await expect(forge.propose(each)).rejects.toMatchObject({ name: "BAD_REQUEST" });
      }
      expect(await bench.refs()).toEqual(["refs/heads/main"]);
    });

    test("may take the place of those that are deleted", async () => {
      const { forge, from, bench } = await start(open);
      const swapped = { "a.txt": null, "a.txt/inside": "x", "bin/run": null, bin: "y" };
      const change = await forge.propose(proposal("swap", from, swapped));
      const files = await bench.read((await forge.status(change)).head);
      expect([...files.keys()].sort()).toEqual(["a.txt/inside", "b.txt", "bin"]);
      expect(files.get("bin")).toEqual({ executable: false, content: Buffer.from("y") });
    });

    test("are kept byte for byte", async () => {
      const { forge, from, bench } = await start(open);
      const every = Uint8Array.from({ length: 1024 }, (_, at) => at % 256);
      const odd = {
        every,
        "crlf.txt": "a\r\nb\r\n",
        "empty.txt": "",
        "utf8/zürich.txt": "日本\n",
        ".gitattributes": "* text\n",
      };
      const change = await forge.propose(proposal("bytes", from, odd));
      const files = await bench.read((await forge.status(change)).head);
      for (const [path, content] of Object.entries(odd)) {
        expect(files.get(path), path).toEqual({ executable: false, content: Buffer.from(content) });
      }
    });

    test("that are executable stay so, and deleted ones go", async () => {
      const { forge, from, bench } = await start(open);
      const change = await forge.propose(proposal("modes", from, { "bin/run": "#!/bin/bash\n", "b.txt": null }));
      const files = await bench.read((await forge.status(change)).head);
      expect(files.get("bin/run")).toEqual({ executable: true, content: Buffer.from("#!/bin/bash\n") });
      expect([...files.keys()].sort()).toEqual(["a.txt", "bin/run"]);
    });

    test("and words that no forge could take are refused before anything is written", async () => {
      const { forge, from, bench } = await start(open);
      const good = proposal("good", from, { "c.txt": "c" });
      const many = Array.from({ length: PROPOSAL_LIMITS.files + 1 }, (_, at) => [`f${at}`, ""] as const);
      const bad: readonly Partial<Proposal>[] = [
        { key: "" },
        { key: "../x" },
        { key: "Upper" },
        { key: "a/b" },
        { key: "-a" },
        { from: "main" },
        { from: from.slice(0, 12) },
        { base: "" },
        { base: "-main" },
        { base: "main..other" },
        { base: "ma in" },
        { title: "" },
        { title: "two\nlines" },
        { title: "x".repeat(PROPOSAL_LIMITS.titleLength + 1) },
        { body: "a\0b" },
        { body: "x".repeat(PROPOSAL_LIMITS.bodyLength + 1) },
        { message: " \n" },
        { message: "a\0b" },
        { author: { name: "Eve <root@example.com>", email: "eve@example.com" } },
        { author: { name: "Eve", email: "eve@example.com\nevil" } },
        { author: { name: "", email: "eve@example.com" } },
        { labels: [""] },
        { labels: ["a,b"] },
        { files: new Map() },
        { files: new Map(many) },
        { files: new Map([["big.bin", new Uint8Array(PROPOSAL_LIMITS.bytes + 1)]]) },
        { files: new Map([["half.txt", "\u{d800}"]]) },
      ];
      for (const part of bad) {
        const refused = forge.propose({ ...good, ...part });
        await expect(refused, JSON.stringify(part).slice(0, 80)).rejects.toMatchObject({ name: "BAD_REQUEST" });
      }
      expect(await bench.refs()).toEqual(["refs/heads/main"]);
    });
  });
}
