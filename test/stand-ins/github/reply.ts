/** What a route answers. `items` are paged as the request asks, and then put into a body by `wrap`. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly items?: readonly unknown[];
  readonly wrap?: (items: readonly unknown[]) => unknown;
}

/** Who asks: a user by a token of theirs, an installed app, or the app itself by its JWT. */
export interface Actor {
  readonly login: string;
  readonly kind: "user" | "installation" | "app";
  /** Of a token with fewer rights than its user has. */
  readonly isReadOnly?: boolean;
}

export interface Asked {
  /** The value of a placeholder of the route; the stand-in never asks for one that its route has not. */
  param(name: string): string;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly actor: Actor;
}

export type Handler = (asked: Asked) => Promise<Reply> | Reply;
/** By method and path, as GitHub's description of its interface names them. */
export type Routes = Readonly<Record<string, Handler>>;

/** Ends a request with an answer of GitHub's form. */
export function refuse(status: number, message: string, errors?: readonly unknown[]): Error {
  const body = {
    message,
    ...(errors !== undefined && { errors }),
    documentation_url: "https://docs.github.com/rest",
    status: String(status),
  };
  return Object.assign(new Error(message), { reply: { status, body } satisfies Reply });
}

export function notFound(): Error {
  return refuse(404, "Not Found");
}

export function toReply(error: unknown): Reply {
  if (error instanceof Error && "reply" in error) return error.reply as Reply;
  return { status: 500, body: { message: `the stand-in failed: ${String(error)}` } };
}

export function text(body: Readonly<Record<string, unknown>>, name: string): string {
  const value = body[name];
  if (typeof value === "string") return value;
  throw refuse(422, `Invalid request.\n\n"${name}" wasn't supplied.`);
}

export function optionalText(body: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = body[name];
  return typeof value === "string" ? value : undefined;
}
