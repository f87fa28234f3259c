import { readConfig } from "../../config/config.ts";
import { CairnError } from "../../errors.ts";
import { createForgeTime } from "../../forge/forge-time.ts";
import { type InspectedForge, inspectForge } from "../../forge/adapters.ts";
import { defined } from "../../json/defined.ts";
import { printable } from "../../text/printable.ts";
import { loadGit } from "../../versions/git/git.ts";
import { readUpstream } from "../../versions/git/upstream.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";

/** `cairn forge rules`: which rules changes of the repository have to keep, and what keeps them from landing. */
export const createForgeCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "forge", description: "Show the rules by which changes of the repository land" },
    args: {
      action: { type: "positional", required: true, description: "`rules`" },
      repository: {
        type: "positional",
        required: false,
        description: "Path or URL (default: CAIRN_REPO, or the embedded repository)",
      },
      format: {
        type: "enum",
        options: ["text", "json"],
        default: "text",
        description: "text for people, json for programs",
      },
    },
    async run({ args }) {
      const { environment, folder, now, out } = context;
      if (args.action !== "rules") {
        throw new CairnError(
          "BAD_REQUEST",
          `\`cairn forge ${printable(args.action)}\` is not known; there is \`rules\`.`,
        );
      }
      const read = readConfig(
        args.repository === undefined ? environment : { ...environment, CAIRN_REPO: args.repository },
      );
      if (!read.ok) {
        const problems = read.problems.map((line) => `  ${line}`).join("\n");
        throw new CairnError("BAD_REQUEST", `The configuration is wrong:\n${problems}`);
      }
      const { repository } = read.config;
      const found = await inspectForge(read.config, {
        git: await loadGit({ environment }),
        ...defined({ upstream: repository === undefined ? undefined : readUpstream(repository, folder) }),
        time: createForgeTime(now),
      });
      out(args.format === "json" ? JSON.stringify(found, undefined, 2) : toRulesText(found));
      return found.kind === "none" || found.problems.length > 0 ? EXIT.FAILED : EXIT.OK;
    },
  });

/** Writes the rules of a forge for people: what holds, and what keeps changes from landing. */
export function toRulesText(found: InspectedForge): string {
  if (found.kind === "none") return `There is no forge. ${printable(found.why)}`;
  const { kind, branch, rules, problems } = found;
  const list = (lines: readonly string[]) => lines.map((line) => `  ${printable(line)}`);
  return [
    `Changes land on ${branch === undefined ? "the default branch" : `\`${printable(branch)}\``}, through the forge \`${kind}\`.`,
    ...(rules.length === 0 ? ["It has no rules."] : ["Its rules:", ...list(rules)]),
    ...(problems.length === 0 ? ["No rule keeps changes from landing."] : ["Problems:", ...list(problems)]),
  ].join("\n");
}
