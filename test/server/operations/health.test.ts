import { expect, test } from "vitest";
import { createHealth, type HealthCheck } from "../../../server/operations/health.ts";

const pass: HealthCheck = { name: "a:b", run: () => ({ status: "pass" }) };

test("health is the worst of all checks", async () => {
  const at = async (...checks: HealthCheck[]) =>
    (await createHealth({ checks, now: () => 0, onError: () => undefined })()).status;
  const warn: HealthCheck = { name: "c:d", run: () => ({ status: "warn" }) };
  const fail: HealthCheck = { name: "e:f", run: () => ({ status: "fail" }) };
  expect([await at(pass), await at(pass, warn), await at(warn, fail, pass)]).toEqual(["pass", "warn", "fail"]);
});

test("a check that throws or does not answer fails, and its error is not shown", async () => {
  const errors: unknown[] = [];
  const checks: HealthCheck[] = [
    { name: "throws:", run: () => Promise.reject(new Error("secret")) },
    { name: "waits:", run: () => new Promise(() => {}) },
  ];
  const health = await createHealth({ checks, now: () => 0, onError: (error) => errors.push(error), limitMs: 5 })();
  expect(health).toEqual({
    status: "fail",
    time: "1970-01-01T00:00:00.000Z",
    checks: {
      "throws:": { status: "fail", output: "It failed; the log holds the details." },
      "waits:": { status: "fail", output: "No answer within 5 ms." },
    },
  });
  expect(errors).toMatchObject([{ message: "secret" }]);
});

test("what was found is told again for a second", async () => {
  let time = 0;
  let looks = 0;
  const checks: HealthCheck[] = [{ name: "n:", run: () => ({ status: "pass", observedValue: (looks += 1) }) }];
  const read = createHealth({ checks, now: () => time, onError: () => undefined });
  await Promise.all([read(), read()]);
  time = 999;
  await read();
  expect(looks).toBe(1);
  time = 1000;
  await read();
  expect(looks).toBe(2);
});
