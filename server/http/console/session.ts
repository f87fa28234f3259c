import type { IncomingMessage } from "node:http";
import type { CairnError } from "../../errors.ts";
import { CONSOLE } from "../../kernel/origin.ts";
import { createOtherReader, READER_HEADER, toReaderWord } from "./other-reader.ts";

/** The cookie over https. Browsers keep other hosts from setting a name that begins so, those of the same domain too. */
const SECURE_NAME = "__Host-cairn";
const PLAIN_NAME = CONSOLE;
/** Characters of a token that browsers still keep in a cookie. */
export const COOKIE_TOKEN_LIMIT = 3_800;
/** RFC 6750 §2.1: b64token, all of which may stand in a cookie. */
export const COOKIE_TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/** The headers and method of a request, from either of the two ways in. */
export interface Sender {
  readonly method: string;
  readonly header: (name: string) => string | undefined;
}

/** Rules of the cookie: how it is called, and who may use it. */
export interface ConsoleSessions {
  /**
   * Gives a request of the console's own pages the credentials of its cookie, as if it had sent them itself. Gives the error to
   * answer with where the page shows another reader: one tab signs in, and all others would act as that reader.
   */
  adopt(request: IncomingMessage): CairnError | undefined;
  /** Finds the word for the reader of a request whose credentials are those of its cookie; `undefined` for others. */
  findReader(cookies: string | undefined, authorization: string | undefined): string | undefined;
  isOwnPage(sender: Sender): boolean;
  /** The `Set-Cookie` that keeps a token, or with an empty one removes it. */
  toCookie(sender: Sender, token: string): string;
  /**
   * The `Set-Cookie` that keeps a text for one step of signing in or out with a provider, for some seconds; with none it removes it.
   * `Lax` alone comes back with a reader whom another site leads here, as the provider does.
   */
  toStepCookie(name: string, step: { readonly text: string; readonly seconds: number; readonly site: Site }): string;
  /** The texts of steps whose name begins so, by the rest of their names. */
  findSteps(cookies: string | null, prefix: string): ReadonlyMap<string, string>;
}

type Site = "Strict" | "Lax";

/**
 * Creates the sessions of the console: a cookie with the caller's token, which counts as `Authorization` would and for nothing
 * else. What each part stops: HttpOnly, a script that reads the token; SameSite, the header and the look at where the request
 * comes from, a page of others that acts for its reader (CSRF, also by pages of another port of this host); Secure and the
 * prefix, a token in clear text and a neighbour of the domain that signs its reader in as somebody else.
 * `publicUrl`: scheme and host as clients see them, if they are known.
 */
export function createConsoleSessions(publicUrl: string | undefined): ConsoleSessions {
  const ownOrigin = publicUrl === undefined ? undefined : URL.parse(publicUrl)?.origin;
  const isHttps = ownOrigin?.startsWith("https:") === true;

  const toStepName = (name: string) => `${isHttps ? SECURE_NAME : "cairn"}-${name}`;

  function isOwnPage({ method, header }: Sender): boolean {
    // Forms cannot send it, and pages of others need leave first.
    if (header(CONSOLE) === undefined) return false;
    const site = header("sec-fetch-site");
    if (site !== undefined && site !== "same-origin") return false;
    const origin = header("origin");
    if (origin !== undefined) return origin === ownOrigin || URL.parse(origin)?.host === header("host");
    // Browsers say at least one of the two of everything but reading over plain http.
    return site !== undefined || method === "GET" || method === "HEAD";
  }

  return Object.freeze({
    adopt(request: IncomingMessage) {
      const { headers, method = "" } = request;
      if (headers.cookie === undefined || headers.authorization !== undefined) return undefined;
      const token = findToken(headers.cookie, isHttps);
      const header = (name: string) => headers[name]?.toString();
      if (token === undefined || !isOwnPage({ method, header })) return undefined;
      const shown = header(READER_HEADER);
      if (shown !== undefined && shown !== toReaderWord(token)) return createOtherReader();
      headers.authorization = `Bearer ${token}`;
      return undefined;
    },
    findReader(cookies: string | undefined, authorization: string | undefined) {
      const token = findToken(cookies ?? "", isHttps);
      return token !== undefined && authorization === `Bearer ${token}` ? toReaderWord(token) : undefined;
    },
    isOwnPage,
    toCookie({ header }: Sender, token: string) {
      const secure = isHttps || header("origin")?.startsWith("https:") === true;
      // Without an age: the browser forgets it when it ends.
      const age = token === "" ? "; Max-Age=0" : "";
      const name = secure ? SECURE_NAME : PLAIN_NAME;
      return `${name}=${token}; Path=/; HttpOnly; SameSite=Strict${secure ? "; Secure" : ""}${age}`;
    },
    toStepCookie(name: string, { text, seconds, site }: { text: string; seconds: number; site: Site }) {
      const secure = isHttps ? "; Secure" : "";
      return `${toStepName(name)}=${text}; Path=/; HttpOnly; SameSite=${site}${secure}; Max-Age=${seconds}`;
    },
    findSteps(cookies: string | null, prefix: string) {
      const start = toStepName(prefix);
      const pairs = (cookies ?? "").split(";").map((pair) => pair.trim());
      return new Map(
        pairs
          .filter((pair) => pair.startsWith(start) && pair.includes("="))
          .map((pair) => [pair.slice(start.length, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)] as const),
      );
    },
  });
}

/** Finds the token of a cookie header. Over https the name without the prefix does not count: others could have set it. */
function findToken(cookies: string, isHttps: boolean): string | undefined {
  for (const name of isHttps ? [SECURE_NAME] : [SECURE_NAME, PLAIN_NAME]) {
    const found = cookies
      .split(";")
      .map((pair) => pair.trim())
      .find((pair) => pair.startsWith(`${name}=`));
    const token = found?.slice(name.length + 1) ?? "";
    if (COOKIE_TOKEN.test(token)) return token;
  }
  return undefined;
}
