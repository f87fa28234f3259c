import { CairnError } from "../../../errors.ts";
import { advance } from "./advance.ts";
import { better, toCost } from "./cost.ts";
import type { Candidate, CmaSearch } from "./search.ts";
import { cmaConstants } from "./constants.ts";

/** Result of evaluating a candidate. */
export type CmaResult = { readonly value: number } | { readonly failed: true };

/**
 * Records the result of one candidate, in any order; the last of a generation closes it. A result of a generation that
 * closed without it may still be the best, and goes into the next generation as a known point.
 * @throws BAD_REQUEST for an id that was not handed out or a value that is no finite number, CONFLICT for a second result.
 */
export function tell(search: CmaSearch, id: string, result: CmaResult): CmaSearch {
  const outcome = toOutcome(search, id, result);
  const record = (candidate: Candidate) => (candidate.id === id ? { ...candidate, outcome } : candidate);
  const evaluations = search.evaluations + 1;
  const { open, run } = search;
  const waiting = findCandidate(search, id);
  if (open === null || run === null || search.late.includes(waiting)) {
    return takeLate({ ...search, evaluations }, waiting, outcome);
  }
  return advance({
    ...search,
    evaluations,
    run: { ...run, evaluations: run.evaluations + 1 },
    open: { candidates: open.candidates.map(record), again: open.again?.map(record) ?? null },
  });
}

/**
 * Closes a generation whose missing results will not come: they count as worst, like failures.
 * @throws CONFLICT when none is open or fewer than half of its candidates were told.
 */
export function closeGeneration(search: CmaSearch): CmaSearch {
  const { open, run } = search;
  if (open === null || run === null) throw new CairnError("CONFLICT", "No generation is open.");
  const told = open.candidates.filter(({ outcome }) => outcome !== null).length;
  const { mu } = cmaConstants(run.distribution.mean.length, run.lambda);
  if (told < mu) {
    throw new CairnError(
      "CONFLICT",
      `A generation closes with the results of at least \`${mu}\` of its \`${run.lambda}\` candidates, and has \`${told}\`.`,
    );
  }
  return advance(search, { complete: true });
}

function toOutcome({ settings }: CmaSearch, id: string, result: CmaResult): number | "failed" {
  if ("failed" in result) return "failed";
  if (Number.isFinite(result.value)) return toCost(settings, result.value);
  throw new CairnError(
    "BAD_REQUEST",
    `The value of candidate \`${id}\` is \`${result.value}\`; it must be a finite number, or the candidate told as failed.`,
  );
}

/** The candidate `id` while its result is waited for. */
function findCandidate({ open, late, run, finished }: CmaSearch, id: string): Candidate {
  const known = [...(open?.candidates ?? []), ...(open?.again ?? []), ...late].find((candidate) => candidate.id === id);
  if (known?.asked === true && known.outcome === null) return known;
  const [, ofRun = "", ofGeneration = ""] = /^(\d+)\.(\d+)\.\d+r?$/.exec(id) ?? [];
  const generations = run?.index === Number(ofRun) ? run.generation : finished[Number(ofRun)]?.generations;
  const isClosed = ofRun !== "" && generations !== undefined && Number(ofGeneration) < generations;
  if ((known?.asked === true && known.outcome !== null) || isClosed) {
    throw new CairnError("CONFLICT", `Candidate \`${id}\` has its result already, or its generation closed long ago.`);
  }
  throw new CairnError("BAD_REQUEST", `There is no candidate \`${id}\` that was handed out.`);
}

function takeLate(search: CmaSearch, candidate: Candidate, outcome: number | "failed"): CmaSearch {
  const late = search.late.filter((other) => other !== candidate);
  if (outcome === "failed") return { ...search, late };
  const { id, x } = candidate;
  return {
    ...search,
    late,
    known: [...search.known, { x, cost: outcome }],
    best: better(search.settings, search.best, { id, x, cost: outcome }),
  };
}
