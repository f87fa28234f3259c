import type { ServerResponse } from "node:http";

/** What goes wrong with the next requests of a route. */
export interface Fault {
  /** A route as GitHub names it, for example `POST /repos/{owner}/{repo}/pulls`, `POST /graphql`, or `git`. Absent: any. */
  readonly route?: string;
  /** How often. Default 1. */
  readonly times?: number;
  /** What was asked is done all the same; only the answer is lost. */
  readonly done?: boolean;
  /** `half`: the answer breaks off. `reset`: the connection does. `hang`: there is no answer at all. */
  readonly kind: "answer" | "half" | "reset" | "hang";
  /** Of `answer`. */
  readonly status?: number;
  readonly message?: string;
  /** The whole body, instead of one with `message`. */
  readonly body?: unknown;
  /** How many requests of the route are let through first. */
  readonly after?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Faults {
  order(...faults: readonly Fault[]): void;
  take(route: string): Fault | undefined;
}

export const BAD_GATEWAY: Fault = { kind: "answer", status: 502, message: "Server Error" };

/** GitHub's way to say that somebody asks too much at once. */
export function secondaryLimit(seconds: number, status = 403): Fault {
  const message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
  return { kind: "answer", status, message, headers: { "retry-after": String(seconds) } };
}

export function createFaults(): Faults {
  const waiting: { readonly fault: Fault; left: number; after: number }[] = [];
  return {
    order: (...faults) =>
      void waiting.push(...faults.map((fault) => ({ fault, left: fault.times ?? 1, after: fault.after ?? 0 }))),
    take(route) {
      const index = waiting.findIndex(({ fault }) => fault.route === undefined || fault.route === route);
      const found = waiting[index];
      if (found === undefined || found.after-- > 0) return undefined;
      found.left -= 1;
      if (found.left === 0) waiting.splice(index, 1);
      return found.fault;
    },
  };
}

export function fail(response: ServerResponse, fault: Fault, headers: Readonly<Record<string, string>>): void {
  if (fault.kind === "hang") return undefined;
  if (fault.kind === "reset") return void response.socket?.destroy();
  const said = { message: fault.message ?? "ordered", documentation_url: "https://docs.github.com/rest" };
  const body = JSON.stringify(fault.body ?? said);
  const type = { "content-type": "application/json; charset=utf-8" };
  if (fault.kind === "answer") {
    response.writeHead(fault.status ?? 502, { ...headers, ...type, ...fault.headers }).end(body);
    return undefined;
  }
  response.writeHead(fault.status ?? 200, { ...headers, ...type, "content-length": String(body.length) });
  response.write(body.slice(0, body.length / 2), () => response.socket?.destroy());
  return undefined;
}
