import type { Caller } from "../../../../../server/auth/caller.ts";
import type { Reply } from "../../../../../server/http/reply.ts";
import type { Operation } from "../../../../../server/http/rest/service/operation.ts";
import { expectSchema } from "../../../../helpers/schemas.ts";

/** Asks an operation without a listener; its answer has the form of its schema. */
export async function answerOperation(
  { answer, path, schema }: Operation,
  caller: Caller,
  query = "",
): Promise<unknown> {
  const event = { url: new URL(`http://service${path}${query}`) } as Parameters<Operation["answer"]>[0];
  const { document } = (await answer(event, caller, undefined)) as Reply;
  const body: unknown = JSON.parse(Buffer.from(await document.encode("identity")).toString());
  expectSchema(schema, body);
  return body;
}
