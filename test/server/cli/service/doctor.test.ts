import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Finding } from "../../../../server/operations/doctor/finding.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { runIn } from "../run-in.ts";

/** The finding on the address, and the exit code. */
async function examineAddress(set: Readonly<Record<string, string>>, folder: string) {
  const environment = { PATH: process.env["PATH"], ...set };
  const { code, printed } = await runIn(folder, ["doctor", "--data", join(folder, "data"), "--json"], { environment });
  const { findings } = JSON.parse(printed) as { findings: readonly Finding[] };
  const { status, message } = findings.find(({ check }) => check === "service.address") ?? {};
  return { code, status, message };
}

test("an address that others reach without tokens is a failure, as it is when the service starts", async () => {
  const folder = await temporaryFolder();
  const reached = { HOST: "0.0.0.0", PORT: "0" };
  const open = await examineAddress(reached, folder);
  expect(open).toMatchObject({ code: 1, status: "fail" });
  expect(open.message).toContain("HOST is `0.0.0.0`, which others can reach, and callers need no token.");
  expect((await examineAddress({ ...reached, CAIRN_AUTH: "tokens" }, folder)).status).toBe("ok");
  const create = [
    "token",
    "create",
    "--data",
    join(folder, "data"),
    "--tenant",
    "acme",
    "--actor",
    "ci",
    "--scopes",
    "*",
  ];
  expect((await runIn(folder, create, { environment: {} })).code).toBe(0);
  expect((await examineAddress(reached, folder)).status).toBe("ok");
});

test("a port that another program holds is a failure", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  expect(await examineAddress({ PORT: String(port) }, await temporaryFolder())).toEqual({
    code: 1,
    status: "fail",
    message: expect.stringContaining(`Cannot listen on 127.0.0.1:${port}: something else listens there.`),
  });
});
