// Makes a GitHub release of a tag that is there; one that has its release already is left as it is.
import { readFileSync } from "node:fs";
import { argv, env } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { createGitHub, Refused } from "../github.mjs";

/** `notes` are what `cairn release` printed: the tag, then what changed. Resolves with what was done. */
export async function publishRelease({ ask, repository, notes }) {
  const [tag = "", ...rest] = notes.split("\n");
  const releases = `/repos/${repository}/releases`;
  const find = () =>
    ask("GET", `${releases}/tags/${encodeURIComponent(tag)}`).catch((error) => {
      if (error instanceof Refused && error.status === 404) return undefined;
      throw error;
    });
  if ((await find()) !== undefined) return "there already";
  const body = { tag_name: tag, name: tag, body: rest.join("\n").trim(), prerelease: tag.includes("-") };
  await ask("POST", releases, body, find);
  return "published";
}

async function main() {
  const notes = readFileSync(env.CAIRN_NOTES, "utf8").trim();
  if (notes === "") return console.log("Nothing was released.");
  const ask = createGitHub({ base: env.GITHUB_API_URL, token: env.GITHUB_TOKEN, fetch, sleep });
  console.log(`The release is ${await publishRelease({ ask, repository: env.GITHUB_REPOSITORY, notes })}.`);
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) await main();
