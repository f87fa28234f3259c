import { readFileSync } from "node:fs";
import { CairnError } from "../errors.ts";

/** Versions of the packages that only some services need, and that are installed by those who want them. */
const { peerDependencies } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  readonly peerDependencies: Readonly<Record<string, string>>;
};

/** A feature whose packages are optional, as its users know it, and the packages. */
export interface OptionalFeature {
  readonly feature: string;
  readonly packages: readonly string[];
}

export const MODEL_PACKAGES: OptionalFeature = {
  feature: "A model endpoint (`CAIRN_MODEL_URL`)",
  packages: ["ai", "@ai-sdk/openai-compatible"],
};

/** Loads what an optional package is needed for. @throws UNAVAILABLE with the command that installs it, where it is missing. */
export async function loadOptional<Loaded>(optional: OptionalFeature, load: () => Promise<Loaded>): Promise<Loaded> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error, optional.packages)) throw error;
    throw new CairnError("UNAVAILABLE", toAdvice(optional), { cause: error });
  }
}

/** Says which packages a feature needs, and how they are installed. */
export function toAdvice({ feature, packages }: OptionalFeature): string {
  const specs = packages.map((name) => `"${name}@${peerDependencies[name]}"`);
  const names = packages.map((name) => `\`${name}\``).join(" and ");
  return `${feature} needs ${names}, which not every installation has; \`npm install ${specs.join(" ")}\` beside Cairn brings it, with \`--global\` and \`--prefix\` where Cairn was installed so.`;
}

/** Checks that a package itself is missing, and not a module in it. Source: the message of Node's ERR_MODULE_NOT_FOUND. */
function isMissing(error: unknown, packages: readonly string[]): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    error.code === "ERR_MODULE_NOT_FOUND" &&
    packages.some((name) => error.message.startsWith(`Cannot find package '${name}'`))
  );
}
