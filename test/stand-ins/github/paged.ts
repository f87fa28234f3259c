import type { Reply } from "./reply.ts";

/** The page that a request asks for, and the addresses of others in a header `Link`. */
export function paged(
  reply: Reply,
  url: URL,
): { readonly links: Readonly<Record<string, string>>; readonly body: unknown } {
  const { items, wrap = (page) => page } = reply;
  if (items === undefined) return { links: {}, body: reply.body };
  const size = Math.min(100, Number(url.searchParams.get("per_page") ?? 30));
  const page = Number(url.searchParams.get("page") ?? 1);
  const last = Math.max(1, Math.ceil(items.length / size));
  const link = (number: number, rel: string) => {
    const target = new URL(url);
    target.searchParams.set("page", String(number));
    return `<${target}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [link(page - 1, "prev"), link(1, "first")] : []),
    ...(page < last ? [link(page + 1, "next"), link(last, "last")] : []),
  ];
  const body = wrap(items.slice((page - 1) * size, page * size));
  return { links: links.length === 0 ? {} : { link: links.join(", ") }, body };
}
