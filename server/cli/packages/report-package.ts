import type { MadePackage } from "../../imports/packages/make-package.ts";
import { printable } from "../../text/printable.ts";
import { toPackagePath } from "../../versions/manifests/kinds/read-packages.ts";
import type { CliContext } from "../command.ts";

const MAX_LINES = 10;
const MAX_NAMES = 5;

/** Says what a package became, how a handler imports it, and what of it fails when a handler gets there. */
export function reportPackage({ out }: CliContext, made: MadePackage, before?: string): void {
  const { stem, locked, files, version, exports, hasTypes, lacks } = made;
  const path = toPackagePath(stem);
  const kilobytes = Math.ceil(Buffer.byteLength(files.get(path) ?? "") / 1000);
  const others = Object.keys(locked.install).length - 1;
  const was = before === undefined || before === version ? "" : ` (it was ${before})`;
  out(
    `${printable(locked.import)} ${version}${was}: ${path}, ${kilobytes} kB${others > 0 ? `, with ${others} other packages installed` : ""}.`,
  );
  const names = exports.filter((name) => name !== "default");
  const named =
    names.length === 0 ? "" : `{ ${names.slice(0, MAX_NAMES).join(", ")}${names.length > MAX_NAMES ? ", ..." : ""} }`;
  const whole = exports.includes("default") ? toVariable(stem) : "";
  out(`  import ${[whole, named].filter(Boolean).join(", ")} from "../_deps/${stem}.js";`);
  if (!hasTypes) out("  It has no types: handlers see `any`.");
  const parts = [...lacks].map(([module, lacking]) => `    ${module}: ${lacking.join(", ")}`);
  if (parts.length === 0) return;
  out("  Parts of it use what handlers do not have, and fail when a handler gets there:");
  for (const line of parts.slice(0, MAX_LINES)) out(line);
  if (parts.length > MAX_LINES) out(`    and ${parts.length - MAX_LINES} more modules`);
}

function toVariable(stem: string): string {
  const words = stem.split(/[^A-Za-z0-9]+/).filter(Boolean);
  const [first = "it", ...rest] = words;
  return `${first.replace(/^\d/, "_$&")}${rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}`;
}
