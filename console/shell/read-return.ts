import { words } from "#words/shell.ts";

/** Page that the provider leads back to when nobody was signed in. */
export const RETURN_PATH = "/console/login";
const HOME = "/";

/** Reason for which the reader was not signed in, as the service names it. */
type Problem = keyof typeof words.problems;

/** Reads where the reader goes on once signed in: the page of the address, or the one that the way by the provider began at. */
export function readReturn({ pathname, search }: Pick<Location, "pathname" | "search">): {
  readonly problem?: Problem;
  readonly returnTo: string;
} {
  if (pathname !== RETURN_PATH) return { returnTo: pathname + search };
  const query = new URLSearchParams(search);
  const [problem, returnTo] = [query.get("problem") ?? "", query.get("return_to") ?? HOME];
  return {
    ...(isProblem(problem) ? { problem } : {}),
    // Only pages of the console: an address that others made must not lead elsewhere, nor back to itself.
    returnTo: /^\/console\/(?!login)/.test(returnTo) ? returnTo : HOME,
  };
}

function isProblem(text: string): text is Problem {
  return Object.hasOwn(words.problems, text);
}
