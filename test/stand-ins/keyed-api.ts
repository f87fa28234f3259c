import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { AtEnd } from "../helpers/temporary.ts";

/** One request as it arrived. */
export interface Arrived {
  readonly host: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** An HTTP API on loopback that demands a key, shows it again in many forms, and redirects with it. */
export interface KeyedApi {
  readonly url: string;
  /** Requests in the order of their arrival. */
  readonly arrived: readonly Arrived[];
  /** Replaces the key that is demanded. */
  rotate(key: string): void;
}

/**
 * Opens the API. `/echo` repeats the request in body and headers, in each encoding; `/to?url=` redirects there; all else answers
 * 401 without the key, as a bearer token, as `X-Api-Key` or as `api_key` in the query.
 */
export async function openKeyedApi(key: string, atEnd: AtEnd = onTestFinished): Promise<KeyedApi> {
  let wanted = key;
  const arrived: Arrived[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://api");
    arrived.push({ host: request.headers.host ?? "", path: request.url ?? "", headers: request.headers });
    const { authorization, "x-api-key": apiKey } = request.headers;
    const sent = authorization ?? apiKey?.toString() ?? url.searchParams.get("api_key") ?? "";
    if (url.pathname === "/to") {
      const location = (url.searchParams.get("url") ?? "/").replace("KEY", wanted);
      response.writeHead(Number(url.searchParams.get("status") ?? 302), { location }).end();
    } else if (url.pathname === "/echo") {
      const bytes = Buffer.from(sent);
      const forms = [JSON.stringify(sent), encodeURIComponent(sent), bytes.toString("base64"), bytes.toString("hex")];
      const named = sent.replace("Bearer ", "");
      const isToken = /^[\w.-]+$/.test(named);
      response.writeHead(400, { "x-echo": sent, "x-form": forms[2] ?? "", ...(isToken ? { [named]: "1" } : {}) });
      response.end(JSON.stringify({ headers: request.headers, url: request.url, forms, html: `<b>${sent}</b>` }));
    } else if (sent !== `Bearer ${wanted}` && sent !== wanted) {
      response.writeHead(401).end(JSON.stringify({ error: `The key ${sent} is wrong.` }));
    } else {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ login: "ada" }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, arrived, rotate: (next) => void (wanted = next) };
}
