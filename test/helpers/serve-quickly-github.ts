// A service in a process of its own, which waits for GitHub without taking time: writes are else a second apart.
import { setImmediate } from "node:timers/promises";
import { openService } from "../../server/app/app.ts";
import { readConfig } from "../../server/config/config.ts";
import { createLog } from "../../server/log/log.ts";
import { SHAPES_ONLY } from "../../server/log/redact.ts";

const read = readConfig(process.env);
if (!read.ok) throw new Error(read.problems.join("\n"));
const { config } = read;
const service = await openService({
  config,
  environment: process.env,
  folder: config.data,
  checkout: config.data,
  log: createLog(config.logLevel),
  redactor: SHAPES_ONLY,
  forgeTime: { now: Date.now, sleep: async () => void (await setImmediate()), random: () => 0 },
});
process.stdout.write(`Cairn serves ${config.repository} at ${service.url}\n`);
process.once("SIGTERM", () => void service.close().then(() => process.exit()));
