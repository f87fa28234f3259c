import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type AtEnd, temporaryFolder } from "./temporary.ts";

export interface Certificate {
  readonly key: string;
  /** Signed by itself, so it is also the authority that clients must trust. */
  readonly cert: string;
}

/** A certificate for `names` (`DNS:api.example`, `IP:127.0.0.1`) that is valid for two days. */
export async function createCertificate(names: readonly string[], atEnd?: AtEnd): Promise<Certificate> {
  const folder = await temporaryFolder(atEnd);
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const request = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=cairn.test";
  const forNames = ["-addext", `subjectAltName=${names.join(",")}`];
  await promisify(execFile)("openssl", [...request.split(" "), ...forNames, "-keyout", key, "-out", certificate]);
  return { key: await readFile(key, "utf8"), cert: await readFile(certificate, "utf8") };
}
