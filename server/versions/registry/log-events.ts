import type { Log } from "../../log/log.ts";
import { showDeprecation } from "../retirement/deprecation.ts";
import type { Problem } from "../problem.ts";
import type { Registry } from "./registry-types.ts";

/** Missing versions that one line names. */
const NAMED_LIMIT = 20;

/**
 * Writes one line of log for everything that happens to versions; what an operator should look at is a warning. `onWorkTree`
 * hears of the work tree in place of the log: with its problems, or with none once it is served.
 */
export function logEvents(registry: Registry, log: Log, onWorkTree?: (problems: readonly Problem[]) => void): void {
  // The repository was read before anybody could listen.
  const { labelProblems, missing } = registry.status();
  if (labelProblems.length > 0) logLabelProblems(labelProblems, log);
  if (missing.size > 0) logMissing(missing, log);
  registry.subscribe((event) => {
    switch (event.kind) {
      case "added":
        return log.info({ tag: event.record.tag, commit: event.record.commit }, "version added");
      case "quarantined": {
        const { tag, commit, problems } = event.record;
        return log.warn({ tag, commit, problems }, "version quarantined");
      }
      case "alarm":
        return log.warn({ tag: event.tag, alarm: event.alarm }, "tag changed upstream; its first commit stays served");
      case "alarm-over":
        return log.info({ tag: event.tag }, "tag is upstream again what it was, or versions.yaml says why it is gone");
      case "labels":
        return log.info({ labels: Object.fromEntries(event.labels) }, "labels changed");
      case "label-problems":
        return logLabelProblems(event.problems, log);
      case "missing":
        return logMissing(event.missing, log);
      case "announced": {
        const deprecated = Object.fromEntries(
          [...event.announced.deprecations].map(([semver, one]) => [semver, showDeprecation(one)]),
        );
        return log.info({ deprecated }, "the default branch announces something else of versions now");
      }
      case "dev":
        if (onWorkTree !== undefined) return onWorkTree([]);
        return log.info({ commit: event.commit }, "work tree is served");
      case "dev-refused":
        if (onWorkTree !== undefined) return onWorkTree(event.problems);
        return log.warn({ problems: event.problems }, "work tree is not served; the last good one stays");
      case "sync-failed":
        return log.warn({ reason: event.message }, "repository cannot be read; what is here stays served");
      case "revoked":
        return log.warn({ revoked: event.revoked }, "the default branch revokes something else now");
      case "revoked-in-doubt": {
        const { problems } = event;
        if (problems.length === 0) return log.info("the policies of the default branch can be read again");
        return log.warn({ problems }, "policies of the default branch cannot be read; what was revoked stays so");
      }
      case "refs":
        return undefined;
      case "sync-recovered":
        return log.info("repository can be read again");
    }
  });
}

function logMissing(missing: ReadonlyMap<string, string>, log: Log): void {
  if (missing.size === 0) log.info("no version is missing any more");
  else {
    const named = Object.fromEntries([...missing].slice(0, NAMED_LIMIT));
    log.warn(
      { missing: named, count: missing.size },
      "versions cannot be brought in; calls of them are UNAVAILABLE here",
    );
  }
}

function logLabelProblems(problems: readonly Problem[], log: Log): void {
  if (problems.length === 0) log.info("labels are again as versions.yaml of the default branch says");
  else log.warn({ problems }, "labels are not all as versions.yaml of the default branch says; the others stay");
}
