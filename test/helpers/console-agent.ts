import { agentFiles } from "./agent.ts";
import { createRepository } from "./repository.ts";
import { type AtEnd, temporaryFolder } from "./temporary.ts";

/** A text that would act if a page took it for markup, and one that would read otherwise than it is written. */
export const MARKUP = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`;
const REORDERED = "pays \u202e001 ot\u202c nobody";

const ECHO = { handler: "export default (input) => input;\n" };

/** The repository that the console's tests show: a line with a branch, labels, texts that attack, and a broken version. */
export async function createConsoleRepository(atEnd: AtEnd): Promise<string> {
  const made = await createRepository(await temporaryFolder(atEnd));
  await made.release("1.0.0", agentFiles({ version: "1.0.0", tools: { echo: ECHO } }));
  await made.git("branch", "line");
  await made.release("1.1.0", agentFiles({ version: "1.1.0", parent: "1.0.0", tools: { echo: ECHO, more: ECHO } }));
  await made.git("checkout", "--quiet", "line");
  await made.release("1.0.1", agentFiles({ version: "1.0.1", parent: "1.0.0", tools: { echo: ECHO } }));
  await made.git("checkout", "--quiet", "main");
  const hostile = { ...ECHO, description: JSON.stringify(`${MARKUP} ${REORDERED}`) };
  const files = agentFiles({
    version: "1.2.0",
    parent: "1.1.0",
    labels: { stable: "1.1.0" },
    tools: { echo: ECHO, more: ECHO, hostile },
  });
  const changes = `    changes:\n      - ${JSON.stringify(MARKUP)}\n      - ${JSON.stringify(REORDERED)}\n`;
  const versions = String(files["versions.yaml"]).replace("    changes:\n      - Changes of 1.2.0.\n", () => changes);
  await made.release("1.2.0", { ...files, "versions.yaml": versions });
  // The tag says another number than its tree.
  await made.commit({ "versions.yaml": versions.replace("current: 1.2.0", "current: 1.2.0") });
  await made.tag("v1.3.0");
  return made.path;
}
