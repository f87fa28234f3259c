import type { Problem } from "./problem.ts";
import type { History } from "./version.ts";

/** Result of reading versions.yaml alone. */
export type LoadedHistory =
  { readonly ok: true; readonly history: History } | { readonly ok: false; readonly problems: readonly Problem[] };
