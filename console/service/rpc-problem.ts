import type { ProblemDetails } from "./answers.ts";

/** Error of JSON-RPC 2.0, as the service's MCP servers write it. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: { readonly code?: number; readonly name?: string };
}

/** Writes an error of JSON-RPC as problem details, so that pages show both alike. */
export function toRpcProblem({ code, message, data }: RpcError, status: number): ProblemDetails {
  const { name = "UNKNOWN", code: number = code } = data ?? {};
  return { type: "about:blank", title: name, status, detail: message, code: number, name };
}
