import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { openFetcher } from "../../../../server/capabilities/fetch/open-fetcher.ts";
import { createCertificate } from "../../../helpers/certificate.ts";

const HOST = "api.example.com";

/** A host that speaks TLS, and the fetcher of a service whose operator maps `https://api.example.com` to it. */
async function setUp() {
  const { key, cert } = await createCertificate(["IP:127.0.0.1"]);
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, cert]);
  const server = createServer({ key, cert }, (request, response) => response.end(`${request.httpVersion} hello`));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const fetcher = openFetcher({ egressMap: new Map([[HOST, `https://127.0.0.1:${port}`]]) });
  onTestFinished(async () => {
    await fetcher.close();
    setDefaultCACertificates(before);
    server.closeAllConnections();
    server.close();
  });
  const fetch = (headers: Record<string, string>) => {
    const request = { url: `https://${HOST}/`, method: "GET", headers };
    return fetcher.fetch(request, [HOST], 2_000, new AbortController().signal);
  };
  return { fetch };
}

/** Headers with which the HTTP client ends a request before it has a connection for it. */
const FAILING = [{ expect: "100-continue" }, { "transfer-encoding": "chunked" }, { upgrade: "h2c" }];

test.each(FAILING)("answers after a request with %j, the first to its host, failed", async (headers) => {
  const { fetch } = await setUp();
  await expect(fetch(headers)).rejects.toMatchObject({ name: "UPSTREAM_ERROR" });
  expect(await fetch({})).toMatchObject({ status: 200, body: "1.1 hello" });
});
