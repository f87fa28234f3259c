import { createInterface } from "node:readline/promises";
import type { Readable } from "node:stream";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { isSecretValue, SECRET_FORM } from "../../capabilities/secrets/secrets.ts";
import { isSecretName } from "../../config/config-secrets.ts";
import { CairnError } from "../../errors.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { formatTable } from "../table.ts";
import { loadToken, TOKEN_OPTION } from "./service-token.ts";
import { askService, toServiceUrl, URL_OPTION } from "./service-url.ts";

/** `cairn secret set|list|remove`: the secrets of the token's actor, in a running service. */
export const createSecretCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "secret", description: "Set, list and remove your own secrets, with which tools act for you" },
    args: {
      action: { type: "positional", required: true, description: "`set`, `list` or `remove`" },
      name: {
        type: "positional",
        required: false,
        description:
          "set, remove: its name, as manifests have it. The value comes from standard input, or is asked for",
      },
      json: { type: "boolean", description: "list: print JSON" },
      ...URL_OPTION,
      ...TOKEN_OPTION,
    },
    async run({ args }) {
      const { environment, input, out, err } = context;
      const { action, name } = args;
      if (!["set", "list", "remove"].includes(action)) {
        throw new CairnError("BAD_REQUEST", "`cairn secret` is followed by `set`, `list` or `remove`.");
      }
      if (action === "list" ? name !== undefined : name === undefined || !isSecretName(name)) throw wrongName(action);
      const url = toServiceUrl(args.url, environment);
      const access = { url, token: await loadToken(context, args["token-file"]) };
      if (action === "list") {
        const { secrets } = (await askService(access, "/secrets")) as { secrets: readonly Listed[] };
        const rows = secrets.map((secret) => [secret.name, secret.setAt]);
        out(args.json ? JSON.stringify(secrets, undefined, 2) : formatTable(["NAME", "SET"], rows));
        return EXIT.OK;
      }
      if (action === "set") {
        const value = await readValue(input(), err);
        if (!isSecretValue(value)) throw new CairnError("BAD_REQUEST", `The value must be ${SECRET_FORM}.`);
        await askService(access, `/secrets/${name}`, { value }, "PUT");
      } else {
        await askService(access, `/secrets/${name}`, undefined, "DELETE");
      }
      err(`cairn: \`${name}\` is ${action === "set" ? "set" : "removed"}`);
      return EXIT.OK;
    },
  });

interface Listed {
  readonly name: string;
  readonly setAt: string;
}

/** Explains which words a part takes. What was written may be the secret itself, so it is not repeated. */
function wrongName(action: string): CairnError {
  const message =
    action === "list"
      ? "`cairn secret list` takes no name."
      : `\`cairn secret ${action}\` takes the name of a secret as manifests have it, such as GITHUB; never its value.`;
  return new CairnError("BAD_REQUEST", message);
}

/** Reads standard input up to its end; from a terminal one line, which is not shown. */
async function readValue(input: Readable & { readonly isTTY?: boolean }, err: (line: string) => void): Promise<string> {
  if (input.isTTY !== true) return (await text(input)).replace(/\r?\n$/, "");
  err("cairn: type or paste the value and end it with Enter; it is not shown");
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true });
  try {
    return await lines.question("");
  } finally {
    lines.close();
  }
}
