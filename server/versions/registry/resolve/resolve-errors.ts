import { minVersion } from "semver";
import { CairnError } from "../../../errors.ts";
import { hideProblems } from "../../problem.ts";
import { type Deprecation, showDeprecation, toSentence } from "../../retirement/deprecation.ts";
import type { VersionRecord } from "../../record.ts";
import type { Segment } from "./segment.ts";
import type { TaggedVersion, VersionIndex } from "../version-index.ts";
import { defined } from "../../../json/defined.ts";

const MAX_SHOWN = 10;
/** Quarantined versions that an error names. */
const MAX_NAMED = 3;
const MAX_ECHO = 64;

/** VERSION_NOT_FOUND with what there is instead, nearest first: never a silent fallback, but help to choose. */
export function versionNotFound(
  text: string,
  reason: string,
  context: {
    readonly index: VersionIndex;
    readonly segment: Segment;
    readonly isServable: (version: TaggedVersion) => boolean;
    /** Since when the upstream could not be read, if so. */
    readonly staleSince: string | undefined;
  },
): CairnError {
  const { index, segment, isServable, staleSince } = context;
  const available = nearest(index, segment, isServable).map(({ name }) => name);
  const labels = [...index.labels.keys()].slice(0, MAX_SHOWN);
  const nearby = available.slice(0, 3).map((name) => `\`${name}\``);
  const message = [
    `There is no version ${echo(text)}: ${reason}.`,
    ...(nearby.length > 0 ? [`There are ${nearby.join(", ")}${available.length > 3 ? " and others" : ""}.`] : []),
    ...(staleSince === undefined ? [] : [`The repository could not be read since ${staleSince}.`]),
  ];
  return new CairnError("VERSION_NOT_FOUND", message.join(" "), {
    details: { available, labels, total: index.versions.length },
  });
}

export function versionUnreadable(cause: unknown): CairnError {
  return new CairnError("UNAVAILABLE", "The version exists, but cannot be read now.", { cause });
}

/** Reason why a range leads nowhere: the versions that fit are quarantined, if there are any. */
export function toNoneFits(quarantined: readonly string[]): string {
  const others = quarantined.length > MAX_NAMED ? `, ... (${quarantined.length} in all)` : "";
  const named = quarantined.slice(0, MAX_NAMED).map((name) => `\`${name}\``);
  return `no stable version fits${quarantined.length === 0 ? "" : `; quarantined: ${named.join(", ")}${others}`}`;
}

export function versionAmbiguous(text: string, choices: readonly { version?: string; commit: string }[]): CairnError {
  const names = choices.slice(0, MAX_SHOWN).map(({ version, commit }) => `\`${version ?? commit}\``);
  const message = `${echo(text)} means ${choices.length} commits. Name one of them: ${names.join(", ")}.`;
  return new CairnError("VERSION_AMBIGUOUS", message, { details: { choices } });
}

export function versionQuarantined(text: string, { commit, tag, problems }: VersionRecord): CairnError {
  // Who asks is not known here.
  const told = hideProblems(problems, (capabilities) => capabilities.length === 0);
  const details = { ...(tag && { version: tag.slice(1) }), commit, problems: told };
  const [first] = details.problems;
  const more = details.problems.length > 1 ? ` And ${details.problems.length - 1} more.` : "";
  const said = first === undefined ? "" : ` ${first.file}:${first.line}:${first.column}: ${first.message}${more}`;
  return new CairnError("VERSION_QUARANTINED", `Version ${echo(text)} is not served.${said}`, { details });
}

/**
 * Creates the error of a commit that answers no calls, because no served tag leads to it: as far as known here, no one
 * has reviewed it.
 */
export function versionNotServed(
  text: string,
  { commit, pullRequest, state }: Pick<VersionRecord, "commit" | "pullRequest" | "state">,
): CairnError {
  const who = pullRequest === undefined ? "a branch or a pull request" : `pull request ${pullRequest}`;
  if (state === "preview") {
    const only = `${echo(text)} is a preview of ${who}: its tools can be tried, and nothing else is done for it.`;
    return new CairnError("VERSION_NOT_SERVED", only, { details: { commit, pull_request: pullRequest } });
  }
  const message = [
    `${echo(text)} answers no calls: no tag that is served leads to it, only ${who} does.`,
    "Tag it, or a commit that comes after it, to have it served.",
    `\`/versions/${commit.slice(0, 10)}\` shows what it is like.`,
  ];
  const details = { commit, ...defined({ pull_request: pullRequest }) };
  return new CairnError("VERSION_NOT_SERVED", message.join(" "), { details });
}

/** Creates the error of calls to a version whose service has ended. Records and lists of it can still be read. */
export function versionRetired(semver: string, deprecation: Deprecation): CairnError {
  const { sunset, successor, reason } = showDeprecation(deprecation);
  const ended = deprecation.yanked === true ? "yanked" : "retired";
  const message = `Version ${semver} is ${ended} since ${sunset}: ${toSentence(reason)} Use ${successor}, at \`/agent/${successor}\`.`;
  return new CairnError("VERSION_RETIRED", message, { details: { version: semver, sunset, successor, reason } });
}

/** Quotes a caller's text, safe to show. */
function echo(text: string): string {
  return `\`${JSON.stringify(text.slice(0, MAX_ECHO)).slice(1, -1)}${text.length > MAX_ECHO ? "..." : ""}\``;
}

/** Versions around the one that was asked for, else the highest. */
function nearest(
  index: VersionIndex,
  segment: Segment,
  isServable: (version: TaggedVersion) => boolean,
): readonly TaggedVersion[] {
  const wanted =
    segment.kind === "exact" || segment.kind === "tag"
      ? segment.version.parsed
      : segment.kind === "range"
        ? minVersion(segment.range)
        : undefined;
  const { versions } = index;
  const found: TaggedVersion[] = [];
  const place = wanted ? versions.findIndex(({ parsed }) => parsed.compare(wanted) <= 0) : 0;
  const middle = place < 0 ? versions.length : place;
  for (let [down, up] = [middle, middle - 1]; found.length < MAX_SHOWN; down += 1, up -= 1) {
    const [below, above] = [versions[down], up < 0 ? undefined : versions[up]];
    if (below === undefined && above === undefined) break;
    for (const version of [below, above]) if (version !== undefined && isServable(version)) found.push(version);
  }
  return found.slice(0, MAX_SHOWN);
}
