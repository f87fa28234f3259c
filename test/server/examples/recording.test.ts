import { describe, expect, test } from "vitest";
import {
  createPlayer,
  createRecorder,
  type LoadedRecording,
  loadRecording,
  type Recording,
  toRecordingPath,
  writeRecording,
} from "../../../server/examples/recording.ts";
import { SHAPES_ONLY } from "../../../server/log/redact.ts";
import type { Tool } from "../../../server/versions/version.ts";
import { createTestVersion } from "../../helpers/test-version.ts";
import type { Fetched, FetchRequest } from "../../../server/capabilities/fetch/open-fetcher.ts";

const AT = Date.UTC(2026, 0, 31, 12);
const tools = createTestVersion({
  tools: [
    { name: "runner.ask", server: "runner", handler: "tools/runner/ask.ts" },
    { name: "runner.other", server: "runner" },
  ],
}).tools;
const [TOOL, OTHER] = [...tools.values()] as [Tool, Tool];
const mask = SHAPES_ONLY.text;
const get = (url: string): FetchRequest => ({ url, method: "GET", headers: {} });
const answer = (body: string, headers: Record<string, string> = {}): Fetched => ({ status: 200, headers, body });
const loadText = (text: string) => loadRecording(async () => text, TOOL);
const never = () => Promise.reject(new Error("No host is asked."));

/** What a host says, each time something else. */
function createHost() {
  const asked: string[] = [];
  const send = (request: FetchRequest) => async () => {
    asked.push(request.url);
    return answer(`answer ${asked.length}`, { "content-type": "text/plain", "set-cookie": "a=1", date: "now" });
  };
  return { asked, send };
}

describe("a recording", () => {
  test("stands beside the handler, and is read as it was written", async () => {
    const recording: Recording = {
      at: AT,
      answers: [
        {
          request: { method: "POST", url: "https://a.example/x?y=1", body: '{"q": "\\u0000é"}' },
          response: answer('{"a":[1,2]}\n', { "content-type": "application/json" }),
        },
        { request: { method: "GET", url: "https://a.example/" }, response: { status: 204, headers: {}, body: "" } },
      ],
    };
    expect(toRecordingPath(TOOL)).toBe("tools/runner/ask.recording.yaml");
    expect(await loadText(writeRecording(recording))).toEqual({ ok: true, recording });
    expect(await loadRecording(async () => undefined, TOOL)).toEqual({ ok: true, recording: undefined });
  });

  test.each([
    [
      "at: yesterday\nanswers: [{ request: { method: GET, url: 'https://a.example/' }, response: { status: 200 } }]\n",
      1,
    ],
    ["at: 2026-01-31T12:00:00Z\nanswers: []\n", 2],
    [
      "at: 2026-01-31T12:00:00Z\nanswers:\n  - request: { method: GET, url: 'http://a.example/' }\n    response: { status: 200 }\n",
      3,
    ],
    ["at: 2026-01-31T12:00:00Z\nanswer: []\n", 2],
    ["at: [\n", 2],
  ])("with a mistake is refused, with its line: %j", async (text, line) => {
    const loaded = await loadText(text);
    expect(loaded).toMatchObject({ ok: false });
    const problems = loaded.ok ? [] : loaded.problems;
    expect(problems.map(({ file }) => file)).toContain("tools/runner/ask.recording.yaml");
    expect(problems.map((problem) => problem.line)).toContain(line);
  });
});

describe("recording", () => {
  test("asks a host for each thing once, and keeps answers to the same request in their order", async () => {
    const { asked, send } = createHost();
    const recorder = createRecorder(AT, mask);
    const [first, second] = [recorder.hosts(), recorder.hosts()];
    const [one, two] = [get("https://a.example/1"), get("https://a.example/2")];
    expect((await first.answer(one, TOOL, send(one)))?.body).toBe("answer 1");
    expect((await first.answer(one, TOOL, send(one)))?.body).toBe("answer 2");
    expect((await second.answer(one, TOOL, send(one)))?.body).toBe("answer 1");
    expect((await second.answer(two, TOOL, send(two)))?.body).toBe("answer 3");
    expect(asked).toEqual([one.url, one.url, two.url]);
    const recording = recorder.toRecording();
    expect(recording?.answers.map(({ request, response }) => [request.url, response.body])).toEqual([
      [one.url, "answer 1"],
      [one.url, "answer 2"],
      [two.url, "answer 3"],
    ]);
    expect(recording?.answers[0]?.response.headers).toEqual({ "content-type": "text/plain" });
  });

  test("keeps no credential, neither of requests nor of answers, and still finds the answer", async () => {
    const key = "sk-aBcDeFgHiJkLmNoPqRs";
    const recorder = createRecorder(AT, mask);
    const request: FetchRequest = {
      url: `https://a.example/x?api_key=${key}&q=1`,
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ password: "correct horse", q: 2 }),
    };
    const said = answer(JSON.stringify({ access_token: `${key}2`, value: 3 }));
    // A handler goes on with what it was really answered.
    expect(await recorder.hosts().answer(request, TOOL, async () => said)).toBe(said);
    const text = writeRecording(recorder.toRecording() ?? { at: 0, answers: [] });
    expect(text).not.toMatch(/sk-|correct horse|Bearer/);
    const hosts = await play(async () => loadText(text));
    const other = { ...request, url: request.url.replace(key, "another-key") };
    expect((await hosts().answer(other, TOOL, never))?.body).toBe('{"access_token":"[redacted]","value":3}');
  });

  test("is nothing where nothing was asked, and keeps no failure", async () => {
    const recorder = createRecorder(AT, mask);
    await expect(recorder.hosts().answer(get("https://a.example/"), TOOL, never)).rejects.toThrow("No host is asked.");
    expect(recorder.toRecording()).toBeUndefined();
  });
});

describe("a recording that is played back", () => {
  const request = { method: "GET", url: "https://a.example/" };
  const recorded = (...bodies: readonly string[]): LoadedRecording => ({
    ok: true,
    recording: { at: AT, answers: bodies.map((body) => ({ request, response: answer(body) })) },
  });

  test("begins anew for each example, and its last answer goes on", async () => {
    const player = await play(async () => recorded("one", "two"));
    for (let example = 0; example < 2; example++) {
      const hosts = player();
      const bodies = [];
      for (let ask = 0; ask < 3; ask++) bodies.push((await hosts.answer(get(request.url), TOOL, never))?.body);
      expect([hosts.at, bodies]).toEqual([AT, ["one", "two", "two"]]);
    }
    const others = [
      get("https://a.example/other"),
      { ...get(request.url), method: "HEAD" },
      { ...get(request.url), body: "x" },
    ];
    for (const other of others) expect(await player().answer(other, TOOL, never)).toBeUndefined();
  });

  test("goes before that of another tool which asks", async () => {
    const load = async (tool: Tool) => (tool === OTHER ? recorded("other") : recorded("own"));
    expect((await (await play(load))().answer(get(request.url), OTHER, never))?.body).toBe("own");
    const none = async (tool: Tool): Promise<LoadedRecording> =>
      tool === OTHER ? recorded("other") : { ok: true, recording: undefined };
    const hosts = (await play(none))();
    expect([hosts.at, (await hosts.answer(get(request.url), OTHER, never))?.body]).toEqual([undefined, "other"]);
    expect(await hosts.answer(get(request.url), TOOL, never)).toBeUndefined();
  });
});

async function play(load: (tool: Tool) => Promise<LoadedRecording>) {
  const player = await createPlayer({ tool: TOOL, load, mask });
  if (!player.ok) throw new Error(JSON.stringify(player.problems));
  return player.hosts;
}
