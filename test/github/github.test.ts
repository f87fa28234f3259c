import { describe, expect, test } from "vitest";
import { createGitHub } from "../../.github/actions/github.mjs";
import { publishRelease } from "../../.github/actions/release/publish.mjs";
import { keepComment } from "../../.github/actions/validate/comment.mjs";
import { startGitHub, TOKEN } from "../stand-ins/github.ts";

async function setUp(token = TOKEN, owner?: Parameters<typeof startGitHub>[0]) {
  const github = await startGitHub(owner);
  const waits: number[] = [];
  const sleep = async (milliseconds: number) => void waits.push(milliseconds);
  const ask = createGitHub({ base: github.url, token, fetch, sleep });
  const comment = (report: string, path = ".") =>
    keepComment({ ask, graphql: `${github.url}/graphql`, repository: "acme/tools", pullRequest: "7", path, report });
  const publish = (notes: string) => publishRelease({ ask, repository: "acme/tools", notes });
  return { ...github, waits, comment, publish };
}

describe("the comment on a pull request", () => {
  test("is one: made once, changed when the report changes, and left alone otherwise", async () => {
    const { comment, comments, requests } = await setUp();
    expect(await comment("first")).toBe("created");
    expect(await comment("first")).toBe("unchanged");
    expect(await comment("second")).toBe("updated");
    expect(comments.map(({ body }) => body)).toEqual(["<!-- cairn: validate -->\nsecond"]);
    expect(requests.filter((line) => !line.startsWith("GET"))).toEqual([
      "POST /issues/7/comments",
      "POST /graphql",
      "POST /graphql",
      "PATCH /issues/comments/1",
    ]);
  });

  test("is found on a later page, and is never somebody's own that begins alike", async () => {
    const { comment, comments } = await setUp();
    const user = { login: "mallory", type: "User" } as const;
    for (let id = 1; id <= 150; id += 1) comments.push({ id, body: "<!-- cairn: validate -->\nmine", user });
    expect(await comment("one")).toBe("created");
    expect(await comment("two")).toBe("updated");
    expect(comments).toHaveLength(151);
    expect(new Set(comments.slice(0, 150).map(({ body }) => body))).toEqual(
      new Set(["<!-- cairn: validate -->\nmine"]),
    );
  });

  test("is one as well with the token of a person, who may have written others", async () => {
    const ada = { login: "ada", type: "User" } as const;
    const { comment, comments } = await setUp(TOKEN, ada);
    comments.push({ id: 1, body: "Looks good to me.", user: ada });
    expect(await comment("one")).toBe("created");
    expect(await comment("two")).toBe("updated");
    expect(comments.map(({ body }) => body)).toEqual(["Looks good to me.", "<!-- cairn: validate -->\ntwo"]);
  });

  test("is one for each agent of a repository", async () => {
    const { comment, comments } = await setUp();
    expect([await comment("desk", "agents/desk"), await comment("shop", "agents/--> shop")]).toEqual([
      "created",
      "created",
    ]);
    expect(await comment("desk 2", "agents/desk")).toBe("updated");
    expect(comments.map(({ body }) => body)).toEqual([
      "<!-- cairn: validate agents%2Fdesk -->\ndesk 2",
      "<!-- cairn: validate agents%2F--%3E%20shop -->\nshop",
    ]);
  });

  test.each([409, 429, 500, 502, 503])("is tried again after %i", async (status) => {
    const { comment, comments, faults, waits } = await setUp();
    faults.push({ status }, { status });
    expect(await comment("report")).toBe("created");
    expect([comments.length, waits]).toEqual([1, [1000, 2000]]);
  });

  test("is not made twice when only the answer was lost", async () => {
    const { comment, comments, faults } = await setUp();
    faults.push({ status: 200, done: true }, { status: 502, done: true });
    expect(await comment("report")).toBe("created");
    expect(comments).toHaveLength(1);
  });

  test("waits as long as GitHub asks, within a minute", async () => {
    const { comment, faults, waits } = await setUp();
    faults.push({ status: 403, headers: { "retry-after": "7" } }, { status: 429, headers: { "retry-after": "9999" } });
    await comment("report");
    expect(waits).toEqual([7000, 60_000]);
  });

  test("is given up where there is no use in trying, or none after five tries", async () => {
    const { comment, faults, waits, requests } = await setUp();
    faults.push({ status: 403 });
    await expect(comment("report")).rejects.toMatchObject({ status: 403 });
    expect([waits, requests.length]).toEqual([[], 1]);
    faults.push(...Array.from({ length: 5 }, () => ({ status: 500 })));
    await expect(comment("report")).rejects.toMatchObject({ status: 500 });
    expect(requests).toHaveLength(6);
    const stranger = await setUp("wrong");
    await expect(stranger.comment("report")).rejects.toMatchObject({ status: 401 });
  });

  test("is cut to what GitHub takes", async () => {
    const { comment, comments } = await setUp();
    await comment(`<details>\n\n${"one line 😀\n".repeat(10_000)}</details>`);
    expect(comments[0]?.body.length).toBeLessThan(65_536);
    expect(comments[0]?.body).toMatch(/one line 😀\n\n<\/details>\n\n\.\.\. the job's summary has the rest\.$/);
    await comment("😀".repeat(50_000));
    expect(comments[0]?.body.isWellFormed()).toBe(true);
    expect(comments[0]?.body).toMatch(/the job's summary has the rest\.$/);
  });
});

describe("a release", () => {
  test("is published once, with what changed", async () => {
    const { publish, releases, faults } = await setUp();
    expect(await publish("v1.1.0-rc.1\n\n- One.\n- Two.")).toBe("published");
    expect(await publish("v1.1.0-rc.1\n\n- One.\n- Two.")).toBe("there already");
    expect(releases).toEqual([{ tag_name: "v1.1.0-rc.1", body: "- One.\n- Two.", prerelease: true }]);
    faults.push({ status: 404, done: true }, { status: 502, done: true });
    expect(await publish("v2.0.0")).toBe("published");
    expect(releases).toHaveLength(2);
  });
});
