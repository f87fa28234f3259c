import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { CairnError } from "../../errors.ts";
import type { CliContext } from "../command.ts";

/** The option that says where the token for the service is. */
export const TOKEN_OPTION = {
  "token-file": {
    type: "string",
    valueHint: "path",
    description: "File with the token for the service (default: the token in CAIRN_TOKEN, if any)",
  },
} as const;

/** A token is never an argument itself: every user of the machine can read those. */
export async function loadToken(
  { environment, folder }: Pick<CliContext, "environment" | "folder">,
  file: string | undefined,
): Promise<string | undefined> {
  if (file === undefined) return check(environment["CAIRN_TOKEN"]?.trim() || undefined, "CAIRN_TOKEN");
  const text = await readFile(resolve(folder, file), "utf8").catch((cause: unknown) => {
    throw new CairnError("BAD_REQUEST", `The file \`${file}\` of \`--token-file\` cannot be read.`, { cause });
  });
  return check(text.trim(), `The file \`${file}\``);
}

/** The header of a request that brings `token`; none without one. */
export function toAuthorization(token: string | undefined): { readonly authorization?: string } {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

function check(token: string | undefined, where: string): string | undefined {
  if (token === undefined || /^[A-Za-z0-9._~+/-]+=*$/.test(token)) return token;
  throw new CairnError("BAD_REQUEST", `${where} does not hold a token.`);
}
