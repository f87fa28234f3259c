import type { Tool } from "../../../server/versions/version.ts";

/** A tool, and the body of its handler; `top` is what its module says before. */
export type TestTool = Partial<Tool> & { readonly body: string; readonly top?: string };

/** Counts, under the input's `key`. */
export const COUNT: TestTool = {
  body: "const key = ['n', input.key ?? '']; const n = ((await ctx.state.get(key)) ?? 0) + 1; await ctx.state.set(key, n); return { n };",
  uses: new Set(["state.read", "state.write"]),
  sideEffect: true,
  idempotent: false,
};
