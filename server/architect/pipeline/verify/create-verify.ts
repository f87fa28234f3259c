import { type Difference, compareInTurns } from "../../../semver/compare-versions.ts";
import type { TestResult } from "../../../examples/test-results.ts";
import { CairnError } from "../../../errors.ts";
import { defined } from "../../../json/defined.ts";
import type { Store } from "../../../store/store.ts";
import type { Loader } from "../../../versions/load-version.ts";
import type { Version } from "../../../versions/version.ts";
import type { Revoked } from "../../../versions/policy.ts";
import type { Readable } from "../../../versions/read-text-of.ts";
import type { Registry } from "../../../versions/registry/registry-types.ts";
import type { Workspace } from "../../../capabilities/workspace/workspace.ts";
import { type AnswerChange, compareAnswers } from "./compare-answers.ts";
import { checkExamples } from "./check-examples.ts";
import { checkReplay } from "./check-replay.ts";
import { checkSecrets } from "./check-secrets.ts";
import { checkTests } from "./check-tests.ts";
import { checkTypes } from "./check-types.ts";
import { findAffected } from "./find-affected.ts";
import type { FindTestResult } from "./find-test-result.ts";
import { findConcerns } from "./find-concerns.ts";
import { loadCandidate, type LoadedCandidate } from "./load-candidate.ts";
import { type Outcome, skipped, failed, passed } from "./outcome.ts";
import type { SharedTrial } from "./shared-trial.ts";
import type { Verification, VerifyCheck } from "./verification.ts";
import { explainJudgement } from "../../../semver/report/explain-judgement.ts";
import { explainClaims } from "../../../semver/claim.ts";
import type { Candidate, Judgement } from "../../../versions/registry/judge/claims.ts";

export interface VerifyRequest {
  /** Version that the change is made from, at a commit whose calls may have been recorded. */
  readonly before: Readable;
  /** Its files are the candidate, with the numbers that it is to have. */
  readonly workspace: Workspace;
  /** The paths of all files that differ from `before`, whether or not a version is made of them. */
  readonly changed: readonly string[];
  /** Build part of the candidate's tag, behind `+`; absent on the default branch. */
  readonly build?: string;
  /** Whose recorded calls may be made again. */
  readonly tenant: string;
  /** Leaves out recorded calls, declared commands, and examples of tools that answer as before, which take long. */
  readonly isDraft?: boolean;
  /** Leaves out examples of tools that answer as before and were never shown, which say nothing of the change. */
  readonly onlyAffected?: boolean;
  /** Compares the answers to examples with those before the change, for people who review it. */
  readonly comparesAnswers?: boolean;
  readonly signal: AbortSignal;
  /** Hears of each check as soon as it is done. */
  readonly onCheck?: (check: VerifyCheck) => void;
}

/**
 * Tries a change in every way there is. Never rejects for what the candidate says; rejects with CANCELLED when `signal` says
 * so, and with what kept it from being tried otherwise.
 */
export type Verify = (request: VerifyRequest) => Promise<Verification>;

export interface VerifyOptions {
  readonly loader: Loader;
  readonly store: Pick<Store, "scan">;
  readonly findResult: FindTestResult;
  readonly trial: SharedTrial;
  /** See `Registry`. */
  readonly judge: Registry["judge"];
  /** Lists what no version may use any more, as of now; absent: nothing. */
  readonly revoked?: () => Revoked;
  readonly now: () => number;
}

const DRAFT = "A draft is not tried with this.";
const ORDER: readonly VerifyCheck["name"][] = ["version", "types", "semver", "examples", "replay", "tests", "secrets"];

export function createVerify(options: VerifyOptions): Verify {
  const { loader, store, findResult, trial, judge, revoked, now } = options;
  return async (request) => {
    const { before, workspace, changed, build, tenant, signal } = request;
    const { isDraft = false, onlyAffected = isDraft, comparesAnswers = false, onCheck = () => undefined } = request;
    let examples: TestResult | undefined;
    let made: Version | undefined;
    let answers: readonly AnswerChange[] | undefined;
    const { done, check } = createChecks(signal, onCheck);

    /** Everything that only reads the files, which stay as they are meanwhile. */
    async function inspect(folder: string): Promise<Difference | undefined> {
      let loaded: LoadedCandidate | undefined;
      await check("version", async () => checkVersion((loaded = await loadCandidate(folder, loader))));
      const search = () => checkSecrets({ folder, readBefore: before.readText, changed, signal });
      if (loaded?.ok !== true) {
        // What the change has is kept as evidence, also where it makes no version.
        await check("secrets", search);
        return undefined;
      }
      const { candidate } = loaded;
      const after = candidate.version;
      made = after;
      const { readText: readBefore } = before;
      const compared = compareInTurns(before.version, after);
      const about = { before: before.version, after, changed };
      const affected = compared.then((difference) => findAffected({ ...about, difference }));
      await settleAll([
        check("types", () => checkTypes({ candidate, readBefore, changed, signal })),
        check("semver", async () => checkSemver(await compared, { ...candidate, build }, judge)),
        affected.then(async (tools) => {
          const known = await findResult(before.version.commit);
          await check("examples", async () => {
            const { result, ...outcome } = await checkExamples({
              before,
              candidate,
              affected: tools,
              known,
              trial,
              onlyAffected,
              now: now(),
              signal,
            });
            examples = result;
            return outcome;
          });
          if (comparesAnswers) {
            const changes = { before, candidate, affected: tools, signal };
            answers = await trial.use((own) => compareAnswers({ ...changes, trial: own }));
          }
          if (isDraft) return check("replay", () => skipped(DRAFT));
          const difference = await compared;
          const replay = { store, tenant, before: before.version, after, difference, tools, trial, signal };
          return check("replay", () => checkReplay(replay));
        }),
        check("secrets", search),
      ]);
      return await compared;
    }

    try {
      const found = await workspace.inspect(inspect);
      const after = made;
      if (after !== undefined) {
        await check("tests", () =>
          isDraft ? skipped(DRAFT) : checkTests(before.version, after, workspace, signal, revoked),
        );
      }
      for (const name of ORDER) {
        if (!done.has(name)) await check(name, () => skipped("The files make no version; `version` says why."));
      }
      return toVerification(done, { ...conclude(before.version, after, found), ...defined({ examples, answers }) });
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new CairnError("CANCELLED", "The change was given up while it was tried.", { cause: error });
    }
  };
}

/** Sums up what a change is, beside its checks; without `after` its files make no version. */
function conclude(
  before: Version,
  after: Version | undefined,
  { required = "none", findings }: Partial<Difference> = {},
) {
  if (after === undefined) return { required, concerns: [] };
  const difference = findings === undefined ? undefined : { findings, tools: [...after.tools.keys()] };
  return { required, concerns: findConcerns(before, after), ...defined({ difference }) };
}

/** Runs checks and keeps how each came out. */
function createChecks(signal: AbortSignal, onCheck: (check: VerifyCheck) => void) {
  const done = new Map<VerifyCheck["name"], VerifyCheck>();
  const check = async (name: VerifyCheck["name"], work: () => Promise<Outcome> | Outcome) => {
    signal.throwIfAborted();
    const began = performance.now();
    const { status, message, tried } = await work();
    const durationMs = Math.round(performance.now() - began);
    const result = Object.freeze({ name, status, message, ...defined({ tried }), durationMs });
    done.set(name, result);
    onCheck(result);
  };
  return { done, check };
}

/** The checks in their order with all else that was found; one that failed fails the whole. */
function toVerification(
  done: ReadonlyMap<VerifyCheck["name"], VerifyCheck>,
  found: Omit<Verification, "status" | "checks">,
): Verification {
  const checks = ORDER.flatMap((name) => done.get(name) ?? []);
  const status = checks.some((one) => one.status === "failed") ? "failed" : "passed";
  return Object.freeze<Verification>({ status, checks: Object.freeze(checks), ...found });
}

/** Waits for all, so that nothing goes on behind the back of whoever hears of the first failure. */
async function settleAll(works: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(works);
  const failure = results.find((result) => result.status === "rejected");
  if (failure !== undefined) throw failure.reason;
}

/** Checks that the files make a version at all. */
function checkVersion(loaded: LoadedCandidate): Outcome {
  if (!loaded.ok) {
    const lines = loaded.problems.map(({ file, line, column, rule, message, fix }) => {
      return `${file}:${line}:${column}: ${message} (${rule}) ${fix}`;
    });
    return failed(...lines);
  }
  const { semver, servers, tools } = loaded.candidate.version;
  return passed(`The files make the version ${semver}: ${servers.size} servers, ${tools.size} tools.`);
}

/** Checks that the candidate would be served under its number, by the judgement that the service goes by. */
async function checkSemver(
  difference: Difference,
  candidate: Candidate,
  judge: (candidate: Candidate) => Promise<Judgement>,
): Promise<Outcome> {
  const judgement = await judge(candidate);
  const measured = explainJudgement(candidate.version.semver, judgement);
  if (judgement.problems.length === 0) {
    // What an earlier change has raised is measured against the last release, and not against the base.
    const kept = difference.claims.filter(({ isKept }) => isKept);
    return passed(...explainClaims({ ...difference, claims: kept }), ...measured);
  }
  return failed(
    ...judgement.problems.map(
      ({ file, line, column, message, rule, fix }) => `${file}:${line}:${column}: ${message} (${rule}) ${fix}`,
    ),
    ...measured,
  );
}
