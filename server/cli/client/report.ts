import { setTimeout as sleep } from "node:timers/promises";
import type { Environment } from "../../config/config.ts";
import { CairnError } from "../../errors.ts";
import { defined } from "../../json/defined.ts";
import { readTagName } from "../../versions/version-name.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { readNumber } from "../read-number.ts";
import { openCheckout } from "../versions/checkout.ts";
import { loadToken, TOKEN_OPTION } from "./service-token.ts";
import { askService, toServiceUrl, URL_OPTION } from "./service-url.ts";

/** Milliseconds between two tries: a service learns of a new tag by itself, sooner or later. */
const PAUSE = 2_000;
/** Seconds that a service may not know the version. */
const WAIT = { otherwise: 60, min: 0, max: 3_600, isWhole: true };

/** `cairn report <pass|fail> [ref]`: what `/versions` says of the tests of a version. */
export const createReportCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "report", description: "Report to a running service how the tests of a version came out elsewhere" },
    args: {
      result: { type: "positional", required: true, valueHint: "pass|fail", description: "Result of all tests" },
      ref: { type: "positional", required: false, default: "HEAD", description: "Tag or commit that was tested" },
      run: {
        type: "string",
        valueHint: "url",
        description: "Address of the run, for people (default: that of the run of GitHub Actions; elsewhere none)",
      },
      wait: {
        type: "string",
        valueHint: "seconds",
        description: `How long to try while the service does not know the version (default: ${WAIT.otherwise})`,
      },
      ...URL_OPTION,
      ...TOKEN_OPTION,
    },
    async run({ args }) {
      const { environment, out, err } = context;
      const { result, ref } = args;
      if (result !== "pass" && result !== "fail") {
        throw new CairnError("BAD_REQUEST", `\`${result}\` is no result; there are \`pass\` and \`fail\`.`);
      }
      const run = args.run ?? findRun(environment);
      const service = { url: toServiceUrl(args.url, environment), token: await loadToken(context, args["token-file"]) };
      const until = context.now() + readNumber("wait", args.wait, WAIT) * 1000;
      const checkout = await openCheckout(context);
      const commit = await checkout.find("rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`);
      if (commit === undefined) throw new CairnError("BAD_REQUEST", `\`${ref}\` is no commit of the repository here.`);
      // By its name the service compares what it serves under that with what was tested.
      const name = readTagName(ref) === undefined ? commit : ref.slice(1);
      const path = `/versions/${encodeURIComponent(name)}/tests`;
      for (let isTold = false; ; isTold = true) {
        try {
          await askService(service, path, { commit, status: result, ...defined({ run }) });
          out(`Reported \`${result}\` of ${name} to ${service.url}.`);
          return EXIT.OK;
        } catch (error) {
          const isThereLater = error instanceof CairnError && ["NOT_FOUND", "UNAVAILABLE"].includes(error.name);
          if (!isThereLater || context.now() >= until) throw error;
          if (!isTold) err(`The service at ${service.url} does not know ${name} yet; trying again.`);
          await sleep(PAUSE);
        }
      }
    },
  });

/** Finds the address of the run of GitHub Actions that this is part of. */
function findRun(environment: Environment): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = environment;
  return server && repository && run ? `${server}/${repository}/actions/runs/${run}` : undefined;
}
