import { showValue } from "../../show-value.ts";
import { toList } from "../../guard/refuse.ts";
import type { RejectPlan } from "../plan.ts";
import type { Heard } from "./heard.ts";
import type { Places } from "./places/places.ts";
import type { Ranked } from "./rank.ts";
import type { Resolved } from "./resolve.ts";

/** Cost below which an explanation names a draft. */
const NEAR = 2.2;

/**
 * Says why nothing comes of a wish: what of it was recognised and what is missing, or that it asks for something that only
 * code does. Undefined where nothing was recognised.
 */
export function explainWish(heard: readonly Heard[], places: Places): RejectPlan | undefined {
  const first = findOpen(heard);
  if (first === undefined) return undefined;
  const asked = askForValue(heard);
  if (asked !== undefined) return asked;
  const missing = listMissing(first);
  if (missing.length > 1) {
    const labels = missing.slice(0, 3).map(({ label }) => label);
    return {
      kind: "reject",
      reason: `It could be about several things: ${labels.join("; ")}.`,
      accepted: "Which one is meant, and what is it to become?",
    };
  }
  const builds = first.clause.actions.has("build") || first.clause.actions.has("add");
  const words = first.clause.tokens.flatMap(({ text, kind }, at) =>
    kind === "word" && (first.clause.weights[at] ?? 0) > 0 ? [text] : [],
  );
  if (!builds || words.length === 0) return undefined;
  return explainCode(places);
}

/** Says that a wish takes code, and what can be asked for in words. */
export function explainCode(places: Places): RejectPlan {
  return {
    kind: "reject",
    reason: `No manifest of this version says anything of this. If it takes code, a model, a worker or a diff has to write it.`,
    accepted: `${toHint(places)} Or attach a unified diff that changes the code as well.`,
  };
}

/** Asks for the value of the one place that a message names without saying what it is to become. */
export function askForValue(heard: readonly Heard[]): RejectPlan | undefined {
  const first = findOpen(heard);
  const [only, next] = first === undefined ? [] : listMissing(first);
  if (only?.missing === undefined || (next !== undefined && next.cost - only.cost <= 0.3)) return undefined;
  return {
    kind: "reject",
    reason: `It seems to be about ${only.label}, but not what that is to become.`,
    accepted: only.missing,
  };
}

function findOpen(heard: readonly Heard[]) {
  return heard.map(({ resolved }) => resolved).find((resolved) => resolved?.kind === "open");
}

function listMissing({ drafts }: Resolved): readonly Ranked[] {
  return drafts.filter((draft) => draft.missing !== undefined && draft.cost <= NEAR);
}

/** A sentence that this version understands. */
function toHint({ version }: Places): string {
  const [set] = [...version.parameters.values()];
  const [parameter] = [...(set?.parameters ?? [])];
  if (set !== undefined && parameter !== undefined)
    return `Say for example "set ${parameter[0]} of ${set.name} to ${showValue(parameter[1].default).replaceAll("`", "")}".`;
  const [tool] = [...version.tools.values()];
  return tool === undefined ? "" : `Its tools are ${toList([...version.tools.keys()])}.`;
}
