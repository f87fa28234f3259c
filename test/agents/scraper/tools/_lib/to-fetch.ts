import type { Context, FetchInit } from "cairn-gitops/host-api";

/** `ctx.fetch` in the form that clients of APIs take for `fetch`: headers that can be walked, and bodies that are awaited. */
export function toFetch(ctx: Context) {
  return async (url: string, { method, headers, body }: FetchInit = {}) => {
    const response = await ctx.fetch(url, {
      ...(method === undefined ? {} : { method }),
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
    });
    return {
      url,
      status: response.status,
      ok: response.ok,
      headers: new Map(Object.entries(response.headers)),
      text: async () => response.text(),
      json: async () => response.json(),
    };
  };
}
