import type { Version } from "../versions/version.ts";
import { DATA_OPTION, loadAuditConfig, withStore } from "./audit-store.ts";
import { type Checkout, openCheckout } from "./checkout.ts";
import { runCli } from "./cli.ts";
import { createCommand, type CreateCommand, type Surroundings } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import { assertReleasable, findPrevious, findTags } from "./release-checks.ts";
import { ANCHOR_FILE, commitAnchor } from "./release-anchor.ts";
import { EGRESS_MAP_OPTION } from "./test-version.ts";
import { toVersion } from "./compare-targets.ts";
import { openTarget } from "./open-target.ts";

interface Options {
  readonly branch: string;
  readonly remote: string;
  readonly data?: string | undefined;
  readonly "egress-map"?: string | undefined;
  readonly "if-new"?: boolean | undefined;
  readonly "dry-run"?: boolean | undefined;
  readonly push?: boolean | undefined;
}

/** `cairn release`: what is checked out becomes a version. Nothing changes unless every check has passed. */
export const createReleaseCommand: CreateCommand = (surroundings) =>
  createCommand({
    meta: { name: "release", description: "Check what is checked out, tag it as `current` says, print release notes" },
    args: {
      branch: { type: "string", default: "main", description: "The branch that is released" },
      remote: {
        type: "string",
        default: "origin",
        description: "Whose tags count besides those here, if there is one",
      },
      push: { type: "boolean", description: "Push the tag, and the branch where an anchor was committed" },
      "if-new": { type: "boolean", description: "Do nothing, and end well, when `current` has its tag already" },
      "dry-run": { type: "boolean", description: "Check and print, but change nothing" },
      data: {
        ...DATA_OPTION.data,
        description: `Data folder: keeps what the tests said, and its audit's checkpoints are committed in ${ANCHOR_FILE}`,
      },
      ...EGRESS_MAP_OPTION,
    },
    run: async ({ args }) => release(surroundings, args),
  });

async function release(surroundings: Surroundings, options: Options): Promise<number> {
  const { out, err } = surroundings;
  const checkout = await openCheckout(surroundings);
  const head = await checkout.git(["rev-parse", "HEAD"]);
  if ((await runHere(surroundings, "validate", head)) !== EXIT.OK) return EXIT.FAILED;
  const version = await loadVersion(surroundings, head);
  const tag = `v${version.semver}`;
  const tags = await findTags(checkout, options.remote);
  if (options["if-new"] === true && tags.has(tag)) {
    err(`${tag} is there already; nothing is released.`);
    return EXIT.OK;
  }
  await assertReleasable(checkout, { ...options, tag, tags, head });
  const previous = await findPrevious(checkout, version, head);
  if (previous === undefined) err("There is no version before this one to compare with.");
  else if ((await runHere(surroundings, "diff", previous, head, "--check")) !== EXIT.OK) return EXIT.FAILED;
  const egress = options["egress-map"] === undefined ? [] : ["--egress-map", options["egress-map"]];
  if ((await runHere(surroundings, "test", head, ...egress)) !== EXIT.OK) return EXIT.FAILED;
  const notes = toNotes(version, tag);
  if (options["dry-run"] === true) err(`Every check has passed; without --dry-run, ${head} becomes ${tag}.`);
  else await tagCommit(surroundings, checkout, { options, head, tag, notes, egress });
  out(notes);
  return EXIT.OK;
}

async function tagCommit(
  surroundings: Surroundings,
  checkout: Checkout,
  made: { options: Options; head: string; tag: string; notes: string; egress: readonly string[] },
): Promise<void> {
  const { options, head, tag, notes, egress } = made;
  const { err } = surroundings;
  const commit = options.data === undefined ? head : await anchor(surroundings, checkout, head, tag, options.data);
  const isSigned = (await checkout.find("config", "user.signingkey")) !== undefined;
  const how = ["--annotate", ...(isSigned ? ["--sign"] : ["--no-sign"]), "--cleanup=whitespace", "--file=-"];
  await checkout.git(["tag", ...how, tag, commit], { input: notes });
  try {
    if (commit !== head) await checkout.git(["merge", "--ff-only", "--quiet", commit]);
    if (options.push === true) {
      const refs = [`refs/tags/${tag}`, ...(commit === head ? [] : [`${commit}:refs/heads/${options.branch}`])];
      await checkout.git(["push", "--quiet", "--atomic", options.remote, ...refs]);
    }
  } catch (error) {
    // Otherwise the next try would find a tag that nobody else has.
    await checkout.find("tag", "--delete", tag);
    throw error;
  }
  if (options.data !== undefined) await runHere(surroundings, "test", tag, "--data", options.data, ...egress);
  err(`${commit} is ${tag}${isSigned ? ", signed" : ""}${options.push === true ? ", and pushed" : ""}.`);
}

function anchor(surroundings: Surroundings, checkout: Checkout, head: string, tag: string, data: string) {
  const config = loadAuditConfig(surroundings.environment, data);
  const use = { surroundings, command: "release", data: config.data };
  return withStore(use, (store) => commitAnchor(checkout, head, tag, config, store));
}

/** As anyone could run it by hand; standard output is left to the release notes. */
async function runHere(surroundings: Surroundings, ...argv: string[]): Promise<number> {
  return runCli(argv, { ...surroundings, out: surroundings.err });
}

async function loadVersion(surroundings: Surroundings, commit: string): Promise<Version> {
  const target = await openTarget(surroundings, commit);
  target.close();
  return toVersion(target, commit);
}

/** Title and changes, as they stand in versions.yaml: what the tag says and what people read. */
function toNotes({ history, semver }: Version, tag: string): string {
  const changes = history.versions.get(semver)?.changes ?? [];
  return [tag, ...(changes.length === 0 ? [] : ["", ...changes.map((change) => `- ${change}`)])].join("\n");
}
