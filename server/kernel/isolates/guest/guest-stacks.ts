/** Stands in stacks before the paths of the modules of this folder, so that no path of a program looks like one. */
export const OWN_SCHEME = "cairn:";

/** A stack without the frames of the modules of this folder. */
export function withoutOwnFrames(stack: string): string {
  const lines = stack.split("\n");
  let text = lines[0] ?? "";
  for (let at = 1; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (!isOwnFrame(line)) text += `\n${line}`;
  }
  return text;
}

function isOwnFrame(line: string): boolean {
  return line.startsWith("    at ") && (line.includes(`(${OWN_SCHEME}`) || line.includes(` ${OWN_SCHEME}`));
}
