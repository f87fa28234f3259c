// Prints the bill of materials of what is installed with Cairn, as CycloneDX: `node scripts/make-sbom.mjs`. `npm sbom --omit dev` leaves
// out all that a package for developers needs too, such as zod (npm 11), so it lists everything, and the lockfile says what is whose.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const installed = new Set(
  Object.entries(packages)
    .filter(([path, { dev }]) => path !== "" && dev !== true)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, "")}@${version}`),
);

const all = execFileSync("npm", ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"], {
  encoding: "utf8",
  maxBuffer: 2 ** 27,
  stdio: ["ignore", "pipe", "inherit"],
  // npm is a script of cmd.exe on Windows.
  shell: process.platform === "win32",
});
const bill = JSON.parse(all);
const own = bill.metadata.component["bom-ref"];
// A bill names one component by `name@version`, wherever it lies.
const isInstalled = ({ name, group, version }) => installed.has(`${group ? `${group}/` : ""}${name}@${version}`);
const components = bill.components.filter(isInstalled);
const refs = new Set([own, ...components.map((component) => component["bom-ref"])]);
const dependencies = bill.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((ref) => refs.has(ref)) }));
process.stdout.write(`${JSON.stringify({ ...bill, components, dependencies }, undefined, 2)}\n`);
