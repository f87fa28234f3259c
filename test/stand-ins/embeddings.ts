import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface EmbeddingsStandIn {
  /** `http://127.0.0.1:<port>/v1`. */
  readonly url: string;
  /** Texts that were sent, in their order, with the credentials of each request. */
  readonly texts: string[];
  readonly authorizations: (string | undefined)[];
  /** Status of all answers from now on, or a body instead of vectors. */
  answer(instead: { readonly status: number } | { readonly body: string } | undefined): void;
  close(): Promise<void>;
}

/** Words that mean the same, a dimension for each group. */
const GROUPS = [/parcel|ship|deliver/gi, /price|cost|cheap|money/gi, /review|opinion|rating/gi, /weather|rain|sky/gi];

/** An endpoint of the OpenAI embeddings interface whose vectors count words of a few groups. */
export async function startEmbeddings(): Promise<EmbeddingsStandIn> {
  const texts: string[] = [];
  const authorizations: (string | undefined)[] = [];
  let instead: Parameters<EmbeddingsStandIn["answer"]>[0];
  const server = createServer((request, response) => {
    void text(request).then((sent) => {
      const isAsked = request.method === "POST" && request.url === "/v1/embeddings";
      const { input } = JSON.parse(sent || "{}") as { input: readonly string[] };
      authorizations.push(request.headers.authorization);
      texts.push(...input);
      const data = input.map((one, index) => ({
        index,
        embedding: [0.01, ...GROUPS.map((is) => one.match(is)?.length ?? 0)],
      }));
      const status = !isAsked ? 404 : instead !== undefined && "status" in instead ? instead.status : 200;
      response.writeHead(status, { "content-type": "application/json" });
      // In another order than that of the texts, as the interface allows.
      response.end(
        instead !== undefined && "body" in instead ? instead.body : JSON.stringify({ data: data.toReversed() }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    texts,
    authorizations,
    answer: (next) => void (instead = next),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
