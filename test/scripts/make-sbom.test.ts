import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";

interface Locked {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Bill {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: { readonly "bom-ref": string; readonly purl: string } };
  readonly components: readonly {
    readonly "bom-ref": string;
    readonly purl: string;
    readonly hashes?: readonly object[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** Walks from what Cairn depends on to everything that npm installs with it, by the lockfile. */
function findInstalled(packages: Readonly<Record<string, Locked>>): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (from: string): void => {
    const { dependencies = {}, optionalDependencies = {} } = packages[from] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      // As Node looks for a package: beside, then in each folder above.
      let base = from;
      while (base !== "" && packages[`${base}/node_modules/${name}`] === undefined) {
        base = base.includes("/node_modules/") ? base.slice(0, base.lastIndexOf("/node_modules/")) : "";
      }
      const path = base === "" ? `node_modules/${name}` : `${base}/node_modules/${name}`;
      if (packages[path] === undefined || found.has(path)) continue;
      found.add(path);
      visit(path);
    }
  };
  visit("");
  return found;
}

test("a bill of materials names everything that is installed with Cairn, with checksums, and no tool of developers", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["scripts/make-sbom.mjs"], { maxBuffer: 2 ** 27 });
  const bill = JSON.parse(stdout) as Bill;
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly version: string };
  expect([bill.bomFormat, bill.specVersion]).toEqual(["CycloneDX", "1.5"]);
  expect(bill.metadata.component.purl).toBe(`pkg:npm/cairn-gitops@${version}`);

  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const purls = bill.components.map(({ purl }) => purl.replace("%40", "@"));
  const wanted = [...findInstalled(packages)].map(
    (path) => `pkg:npm/${path.replace(/^.*node_modules\//, "")}@${packages[path]?.version}`,
  );
  expect(wanted).toContainEqual(expect.stringMatching(/\/zod@/));
  expect(wanted.filter((purl) => !purls.includes(purl))).toEqual([]);
  expect(purls.filter((purl) => /\/(?:vitest|prettier|knip|oxlint)@/.test(purl))).toEqual([]);

  expect(bill.components.filter(({ hashes = [] }) => hashes.length === 0)).toEqual([]);
  const refs = new Set(bill.components.map((component) => component["bom-ref"]));
  const used = bill.dependencies.flatMap(({ dependsOn }) => dependsOn);
  expect(used.filter((ref) => !refs.has(ref) && ref !== bill.metadata.component["bom-ref"])).toEqual([]);
});
