import { errorRow, toErrorBody } from "../../errors.ts";
import type { Origin } from "../../kernel/origin.ts";
import type { Log } from "../../log/log.ts";
import { type RequestId, writeError } from "../../protocol/json-rpc.ts";
import { toDualBody } from "../../protocol/to-dual-body.ts";
import type { HttpResponse } from "../front/exchange.ts";
import { RETRY_AFTER } from "../problem.ts";

const JSON_TYPE = ["content-type", "application/json"];

/** Answers a request with an error, and logs one that nobody outside may see. `headers` are names and values in turn. */
export function fail(
  context: { readonly createId: () => string; readonly log: Log },
  error: unknown,
  response: HttpResponse,
  headers: readonly string[],
  id: RequestId | null,
  { modern, dual }: { readonly modern: boolean; readonly dual: boolean },
  origin?: Origin,
): void {
  const incident = context.createId();
  const row = errorRow(error);
  if (!row.exposed) context.log.error({ err: error, incident, request: origin?.requestId }, "request failed");
  if (response.headersSent || response.destroyed) return void response.destroy();
  const body = toErrorBody(error, incident);
  const told = dual ? toDualBody(body) : body;
  const { pieces } = writeError(id, told, { modern, dual: told !== body });
  // What was not read of the request would otherwise be taken for the next one.
  const close = row.status === 413 ? ["connection", "close"] : [];
  const allow = row.status === 405 ? ["allow", "POST"] : [];
  const retry = row.status === 503 ? ["retry-after", String(RETRY_AFTER)] : [];
  response.writeHead(row.status, [...JSON_TYPE, ...headers, ...close, ...allow, ...retry]).end(pieces[0]);
}
