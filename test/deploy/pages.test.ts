import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { CONFIG_VARIABLES } from "../../server/config/config.ts";

const PAGES = ["docs/deploy.md", "docs/containers.md", "docs/kubernetes.md"];
/** Variables of the tests. */
const OTHERS = ["CAIRN_TESTS", "CAIRN_LONG"];

describe.each(PAGES)("%s", (page) => {
  test("names files that are there, and variables that Cairn reads", async () => {
    const text = await readFile(page, "utf8");
    const files = [...text.matchAll(/(?<![\w/-])(?:deploy|test\/deploy)\/[\w./-]+\w/g)].map(([path]) => path);
    expect(files.filter((path) => !existsSync(path) && !/github-token$|\.env$/.test(path))).toEqual([]);
    const variables = new Set(text.match(/\bCAIRN_[A-Z_]+/g));
    const known = new Set([...Object.keys(CONFIG_VARIABLES), ...OTHERS]);
    expect([...variables].filter((name) => !known.has(name))).toEqual([]);
  });
});

test("docs/operations.md explains every check of /readyz", async () => {
  const files = ["server/operations/service-checks.ts", "server/operations/check-nodes.ts"];
  const sources = await Promise.all(files.map((file) => readFile(file, "utf8")));
  const checks = [...sources.join("\n").matchAll(/\bname: "(\w+:\w+)"/g)].map(([, name]) => name);
  expect(checks).toEqual(expect.arrayContaining(["store:trial", "audit:chain", "nodes:settings"]));
  const page = await readFile("docs/operations.md", "utf8");
  expect(checks.filter((name) => !page.includes(`| \`${name}\` `))).toEqual([]);
});

test("the drain of the unit, the container, the composition and the pod is longer than that of the service", async () => {
  const [, grace = "0"] =
    /CAIRN_DRAIN_GRACE:[^"]*"[^"]*Default `(\d+)`/.exec(await readFile("server/config/config.ts", "utf8")) ?? [];
  expect(Number(grace)).toBe(20);
  const waits = {
    "deploy/systemd/cairn.service": /^TimeoutStopSec=(\d+)$/m,
    "docs/containers.md": /--stop-timeout (\d+)/,
    "deploy/compose.yaml": /stop_grace_period: (\d+)s/,
    "deploy/kubernetes/base/stateful-set.yaml": /terminationGracePeriodSeconds: (\d+)/,
  };
  for (const [file, pattern] of Object.entries(waits)) {
    const [, seconds = "0"] = pattern.exec(await readFile(file, "utf8")) ?? [];
    expect(Number(seconds), file).toBeGreaterThanOrEqual(Number(grace) + 15);
  }
});

test("every program for x64 that the image brings is there for arm64 in the same version", async () => {
  const { packages } = JSON.parse(await readFile("package-lock.json", "utf8")) as {
    packages: Readonly<Record<string, { version: string; dev?: boolean }>>;
  };
  const native = Object.keys(packages).filter((path) => /linux-x64(?!-musl)/.test(path));
  const needed = native.filter((path) => packages[path]?.dev !== true || path.includes("@typescript/"));
  expect(needed.length).toBeGreaterThan(3);
  for (const path of needed) {
    expect(packages[path.replace("x64", "arm64")]?.version, path).toBe(packages[path]?.version);
  }
});
