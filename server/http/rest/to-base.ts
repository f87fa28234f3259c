import type { H3Event } from "h3";

/** Scheme and host that absolute links begin with: the configured ones, or those of the request, which a proxy may have changed. */
export function toBase({ url }: H3Event, publicUrl: string | undefined): string {
  return publicUrl ?? `${url.protocol}//${url.host}`;
}
