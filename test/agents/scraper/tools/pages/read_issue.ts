import type { Handler } from "cairn-gitops/host-api";
import { request } from "../_deps/octokit__request.js";
import { toFetch } from "../_lib/to-fetch.ts";

interface Issue {
  readonly title: string;
  readonly state: string;
}

const readIssue: Handler<{ owner: string; repo: string; number: number }, Issue> = async (input, ctx) => {
  try {
    const { data } = await request("GET /repos/{owner}/{repo}/issues/{number}", {
      ...input,
      request: { fetch: toFetch(ctx) },
    });
    return { title: data.title, state: data.state };
  } catch (error) {
    if ((error as { status?: unknown }).status === 404) throw ctx.fail("NOT_FOUND", "There is no such issue.");
    throw error;
  }
};

export default readIssue;
