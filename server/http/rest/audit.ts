import type { Audit } from "../../kernel/audit/audit.ts";
import type { AuditReader, Page } from "../../kernel/audit/audit-reader.ts";
import { readFolderName } from "../../kernel/audit/verify/folder-name.ts";
import { NEXT_HEADER, PARTS } from "../../kernel/audit/verify/open-source.ts";
import type { Caller } from "../../auth/caller.ts";
import { CairnError } from "../../errors.ts";
import { createDocument, toJsonDocument } from "../document.ts";
import type { Reply } from "../reply.ts";

/** Answers `/audit/{tenant}/{part}`, to callers of that tenant; to others there is nothing there. */
export function createAuditAnswers(audit: Audit, reader: AuditReader) {
  const parts: Readonly<Record<string, (tenant: string, query: URLSearchParams) => Promise<Reply>>> = {
    [PARTS.checkpoint]: async (tenant) => toText("text/plain; charset=utf-8", await reader.checkpoint(tenant)),
    [PARTS.checkpoints]: async (tenant, query) => toLines(await reader.checkpoints(tenant, readStretch(query))),
    [PARTS.entries]: async (tenant, query) => toLines(await reader.entries(tenant, readStretch(query))),
    [PARTS.records]: async (tenant, query) => toLines(await reader.records(tenant, readStretch(query))),
    async consistency(tenant, query) {
      const { from = 0, to } = readNumbers(query, ["from", "to"]);
      return { document: toJsonDocument(await reader.consistency(tenant, from, to)) };
    },
    async inclusion(tenant, query) {
      const { seq = 0, size } = readNumbers(query, ["seq", "size"]);
      return { document: toJsonDocument(await reader.inclusion(tenant, seq, size)) };
    },
    key: async () => toText("text/plain; charset=utf-8", `${audit.vkey}\n`),
  };

  return async (
    caller: Caller,
    folder: string,
    part: string,
    query: URLSearchParams,
    address?: string,
  ): Promise<Reply> => {
    const answer = Object.hasOwn(parts, part) ? parts[part] : undefined;
    const isOwn = readFolderName(folder) === caller.tenant;
    // Told apart from what does not exist only in the audit itself, so that nobody learns which tenants there are.
    if (!isOwn) audit.denied(new CairnError("FORBIDDEN", "The log of another tenant."), { ...caller, address });
    if (!isOwn || answer === undefined) {
      throw new CairnError("NOT_FOUND", `There is no \`/audit/${folder}/${part}\` for you.`.slice(0, 300));
    }
    return answer(caller.tenant, query);
  };
}

function toText(type: string, text: string): Reply {
  return { document: createDocument(type, text, "fast") };
}

function toLines({ text, next }: Page): Reply {
  const headers = next === undefined ? {} : { [NEXT_HEADER]: String(next) };
  return { ...toText("application/jsonl", text), headers };
}

function readStretch(query: URLSearchParams) {
  return readNumbers(query, ["from", "to"]);
}

/** Whole numbers, and nothing else. */
function readNumbers<Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): { readonly [_ in Name]?: number } {
  const numbers: { [_ in Name]?: number } = {};
  for (const [key, text] of query) {
    const name = names.find((other) => other === key);
    const number = Number(text);
    if (name === undefined || !/^\d{1,15}$/.test(text)) {
      throw new CairnError(
        "BAD_REQUEST",
        `\`${key}=${text}\`: only ${names.join(" and ")} are taken, as whole numbers.`,
      );
    }
    numbers[name] = number;
  }
  return numbers;
}
