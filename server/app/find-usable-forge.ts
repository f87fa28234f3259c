import type { Config } from "../config/config.ts";
import type { Forge } from "../forge/forge.ts";
import { NO_FORGE } from "../config/config-forge.ts";
import type { OpenedForge } from "./open-forge.ts";

const UNSIGNED =
  "Tags need a signature here (CAIRN_REQUIRE_SIGNED_TAGS), and Cairn has no key to make one, so what it landed would not be served.";

/** Finds the forge by which changes can land and be served, or why there is none. */
export function findUsableForge(
  { tagSigners }: Pick<Config, "tagSigners">,
  { forge, why = NO_FORGE }: Pick<OpenedForge, "forge" | "why">,
): { readonly forge: Forge; readonly why?: never } | { readonly forge?: never; readonly why: string } {
  if (forge === undefined) return { why };
  return tagSigners === undefined ? { forge } : { why: UNSIGNED };
}
