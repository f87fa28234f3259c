// Prints what CHANGELOG.md says of a release of Cairn itself: `node scripts/release-notes.mjs cairn-v0.2.0`. It fails unless the tag,
// package.json and the changelog name the same release, so that nothing is published by a mistyped tag.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const TAG = /^cairn-v(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)$/;

/** Finds the notes of the release that a tag names. @throws {Error} with what does not fit. */
export function findNotes(tag, packageVersion, changelog) {
  const version = TAG.exec(tag)?.[1];
  if (version === undefined) throw new Error(`\`${tag}\` is no tag of a release; \`cairn-v1.2.3\` would be one`);
  if (version !== packageVersion) throw new Error(`the tag names ${version}, and package.json ${packageVersion}`);
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => /^\[?([^\]\s]+)/.exec(text)?.[1] === version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section \`## ${version}\``);
  const notes = section.slice(section.indexOf("\n") + 1).trim();
  if (notes === "") throw new Error(`the section \`## ${version}\` of CHANGELOG.md is empty`);
  return notes;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
  try {
    const { version } = JSON.parse(read("package.json"));
    process.stdout.write(`${findNotes(process.argv[2] ?? "", version, read("CHANGELOG.md"))}\n`);
  } catch (error) {
    process.stderr.write(`release-notes: ${error.message}\n`);
    process.exitCode = 1;
  }
}
