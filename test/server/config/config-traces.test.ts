import { expect, test } from "vitest";
import { readConfig } from "../../../server/config/config.ts";
import { readTraceHeaders } from "../../../server/config/config-traces.ts";

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" };

function read(environment: Readonly<Record<string, string>>) {
  const result = readConfig(environment);
  return result.ok ? result.config.traces : result.problems;
}

test("an endpoint alone gives every trace that callers have not left out; without one there is none", () => {
  expect(read({ OTEL_SERVICE_NAME: "other", OTEL_TRACES_SAMPLER: "nothing" })).toBeUndefined();
  expect(read(ENDPOINT)).toEqual({
    url: "http://collector:4318/v1/traces",
    timeoutMs: 10_000,
    serviceName: "cairn",
    sampler: { followsParent: true, ratio: 1 },
  });
  const whole = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://traces:4318/in" };
  expect(read(whole)).toMatchObject({ url: "http://traces:4318/in" });
  expect(read({ ...ENDPOINT, ...whole })).toMatchObject({ url: "http://traces:4318/in" });
  expect(read({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "traces:4318" })).toEqual([
    expect.stringContaining("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"),
  ]);
  const more = { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.25", OTEL_SERVICE_NAME: "desk" };
  expect(read({ ...ENDPOINT, ...more })).toMatchObject({
    serviceName: "desk",
    sampler: { followsParent: false, ratio: 0.25 },
  });
});

test("each wrong value is named, and no header shown", () => {
  const wrong = {
    OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318",
    OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
    OTEL_EXPORTER_OTLP_HEADERS: "api-key=secret-value",
    OTEL_EXPORTER_OTLP_TIMEOUT: "99999999",
    OTEL_TRACES_SAMPLER: "sometimes",
    OTEL_TRACES_SAMPLER_ARG: "2",
  };
  const problems = read(wrong) as readonly string[];
  expect(problems.map((problem) => problem.split(" ")[0]).toSorted()).toEqual(Object.keys(wrong).toSorted());
  expect(problems.join("\n")).not.toContain("secret-value");
});

test("headers go only where nobody on the way can read them", () => {
  const headers = { OTEL_EXPORTER_OTLP_HEADERS: "env:KEYS", KEYS: "a=b" };
  expect(read({ ...ENDPOINT, ...headers })).toEqual([expect.stringContaining("it must be https because headers")]);
  expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector", ...headers })).toMatchObject({
    headers: { value: "a=b" },
  });
});

test("headers are pairs with commas between, in percent-encoding", () => {
  expect(readTraceHeaders("Authorization=Bearer%20abc, x-team = a")).toEqual({
    authorization: "Bearer abc",
    "x-team": "a",
  });
  expect(["", "a", "a b=c", "a=%", "a=b,"].map(readTraceHeaders)).toEqual(Array(5).fill(undefined));
});
