import { expect, onTestFinished, test } from "vitest";
import { openNodeDoor } from "../../../server/http/node-door.ts";
import { NODE_HEADER } from "../../../server/instance/node-token.ts";

test("a door answers what says that a worker sent it, once it is open, and nobody else", async () => {
  const door = await openNodeDoor();
  onTestFinished(door.close);
  const ask = async (headers: Readonly<Record<string, string>>) => {
    const response = await fetch(`${door.address}/agent`, { headers });
    return [response.status, await response.text()];
  };
  const ofWorker = { [NODE_HEADER]: "token" };
  expect(await ask(ofWorker)).toEqual([503, ""]);
  door.open((request, response) => void response.end(`answers ${request.url}`));
  expect(await ask(ofWorker)).toEqual([200, "answers /agent"]);
  expect(await ask({})).toEqual([404, ""]);
  expect(door.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});
