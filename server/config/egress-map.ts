import { isHttp } from "./config-model.ts";

/** Reads `host=URL` pairs; `wrong` hears of what is none. */
export function readEgressMap(
  pairs: readonly string[],
  wrong: (expected: string) => void,
): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    const url = pair.slice(at + 1);
    if (at < 1 || !isHttp(url)) wrong(`\`${pair}\` must be \`host=URL\` with an http or https URL`);
    else map.set(pair.slice(0, at).toLowerCase(), url.replace(/\/+$/, ""));
  }
  return map;
}
