import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createDraftDefaults } from "../../architect/draft-defaults.ts";
import { CairnError } from "../../errors.ts";
import { createLoader } from "../../versions/load-version.ts";
import { loadToken, TOKEN_OPTION } from "../client/service-token.ts";
import { toServiceUrl, URL_OPTION } from "../client/service-url.ts";
import { type CommandContext, createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { type Checkout, openCheckout } from "../versions/checkout.ts";
import { toVersion } from "../versions/compare-targets.ts";
import { openTarget } from "../versions/open-target.ts";
import { loadRunning, type Running } from "./load-running.ts";
import { describeRunning } from "./tell-running.ts";

const OPTIONS = {
  ...URL_OPTION,
  ...TOKEN_OPTION,
  agent: { type: "string", default: "latest", valueHint: "version", description: "Version whose calls are looked at" },
} as const;

interface Options {
  readonly url?: string | undefined;
  readonly "token-file"?: string | undefined;
  readonly agent: string;
}

/** `cairn tune ...`: where calls run with other values than the defaults of the checkout, and making those the defaults. */
export const createTuneCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "tune", description: "Compare what experiments run with and their defaults; make it the defaults" },
    subCommands: { status: createStatus(context), apply: createApply(context) },
  });

const createStatus: CreateCommand = (context) =>
  createCommand({
    meta: { name: "tune status", description: "Say where calls run with other values than the checkout's defaults" },
    args: OPTIONS,
    async run({ args }) {
      const { running } = await load(context, args);
      for (const line of running.flatMap(describeRunning)) context.out(line);
      if (running.length === 0) context.out("No experiment runs with other values than its defaults.");
      return EXIT.OK;
    },
  });

const createApply: CreateCommand = (context) =>
  createCommand({
    meta: { name: "tune apply", description: "Write what calls run with into the manifests, and why into the changes" },
    args: {
      experiment: { type: "positional", required: false, description: "One experiment (default: all)" },
      ...OPTIONS,
    },
    async run({ args }) {
      const { checkout, running, draft } = await load(context, args);
      const wanted = running.filter(({ set }) => args.experiment === undefined || set.name === args.experiment);
      if (wanted.length === 0) {
        context.out("No experiment runs with other values than its defaults.");
        return EXIT.OK;
      }
      for (const one of wanted) {
        const patch = await draft(one);
        await checkout.git(["apply", "-"], { input: patch });
        for (const line of describeRunning(one)) context.out(line);
        context.out(`Wrote ${one.set.file}.`);
      }
      return context.runCommand(["bump", "--change", wanted.map(toChange).join(" ")], {
        ...context,
        folder: checkout.folder,
      });
    },
  });

async function load(context: CommandContext, { url, "token-file": tokenFile, agent }: Options) {
  const checkout: Checkout = await openCheckout(context);
  const here = { ...context, folder: checkout.folder };
  const target = await openTarget(here, ".", createLoader());
  target.close();
  const version = toVersion(target, ".");
  const service = { url: toServiceUrl(url, context.environment), token: await loadToken(context, tokenFile) };
  const drafts = createDraftDefaults((_commit, path) => readFile(join(checkout.folder, path), "utf8"));
  return {
    checkout,
    running: await loadRunning(service, agent, version),
    async draft({ set, values }: Running): Promise<string> {
      const made = await drafts(version, set, values);
      if (made === undefined) throw new CairnError("CONFLICT", `\`${set.file}\` has these defaults already.`);
      return made.patch;
    },
  };
}

/** A sentence for the changes: what the default is now, and by what evidence. */
function toChange({ set, differs, reason }: Running): string {
  const values = differs.map(({ name, to }) => `${set.name}.${name} is ${JSON.stringify(to)}`).join(", ");
  return `By default ${values} (${reason}).`;
}
