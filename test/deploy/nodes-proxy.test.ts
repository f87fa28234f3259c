import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createCertificate } from "../helpers/certificate.ts";
import { findFreePort } from "../helpers/free-port.ts";
import { startNodes } from "../helpers/nodes.ts";
import { createRepository } from "../helpers/repository.ts";
import { temporaryFolder } from "../helpers/temporary.ts";
import { hasPostgres } from "../stand-ins/postgres.ts";

const SITE = "cairn.example.com";

/** The Caddyfile of `deploy/` with the lines that the page on several nodes adds, for one site of this machine. */
async function toCaddyfile(address: string, certificate: string, key: string): Promise<string> {
  const [file, page] = [await readFile("deploy/proxies/Caddyfile", "utf8"), await readFile("docs/nodes.md", "utf8")];
  const checks = /(?:^ {4}(?:health|lb)_\w+ \S+\n)+/m.exec(page)?.[0] ?? "";
  expect(checks.split("\n")).toHaveLength(6);
  return file
    .replace("auto_https disable_redirects", "auto_https disable_redirects\n\tadmin off")
    .replace("{$SITE:cairn.example.com} {", `${address} {\n\ttls ${certificate} ${key}`)
    .replace(/(reverse_proxy [^\n]* \{\n)/, `$1${checks}`);
}

/** Starts Caddy before nodes; its address. */
async function startCaddy(upstreams: readonly string[]): Promise<string> {
  const [folder, port] = [await temporaryFolder(), await findFreePort()];
  const made = await createCertificate([`DNS:${SITE}`, "IP:127.0.0.1"]);
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  const trusted = getCACertificates("default");
  setDefaultCACertificates([...trusted, made.cert]);
  onTestFinished(() => setDefaultCACertificates(trusted));
  const url = `https://127.0.0.1:${port}`;
  const [path, home] = [join(folder, "Caddyfile"), join(folder, "home")];
  await mkdir(home);
  await writeFile(certificate, made.cert);
  await writeFile(key, made.key);
  await writeFile(path, await toCaddyfile(url, certificate, key));
  const env = { PATH: process.env["PATH"], HOME: home, UPSTREAM: upstreams.join(" ") };
  const child = spawn("caddy", ["run", "--adapter", "caddyfile", "--config", path], { env, stdio: "ignore" });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  return url;
}

describe.runIf(hasPostgres("nodes behind the documented balancer"))("two nodes behind the documented balancer", () => {
  test("answer every call, also when one of them hangs, comes back, or ends", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0");
    const behind = { CAIRN_PUBLIC_URL: `https://${SITE}`, CAIRN_TRUSTED_PROXIES: "127.0.0.1" };
    const { nodes, token } = await startNodes(repository.path, behind);
    const url = await startCaddy(nodes.map((node) => new URL(node.url).host));
    const headers = { authorization: `Bearer ${token}` };
    const ask = async () => {
      const answer = await fetch(`${url}/versions`, { headers, signal: AbortSignal.timeout(5_000) });
      return answer.status;
    };
    const askAll = async () => new Set(await Promise.all(Array.from({ length: 20 }, ask)));
    const isServed = () =>
      vi.waitFor(async () => expect(await askAll()).toEqual(new Set([200])), { timeout: 60_000, interval: 100 });
    await isServed();
    const [, hanging] = nodes;
    process.kill(hanging.pid, "SIGSTOP");
    onTestFinished(() => void process.kill(hanging.pid, "SIGCONT"));
    await isServed();
    process.kill(hanging.pid, "SIGCONT");
    await isServed();
    const [ending] = nodes;
    const ended = ending.stop("SIGTERM").then(() => "ended");
    const statuses: number[] = [];
    while ((await Promise.race([ended, ask()])) !== "ended") statuses.push(await ask());
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await askAll()).toEqual(new Set([200]));
  }, 180_000);
});
