import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** The demo from its beginning to its end, by the lines that tell of its steps. */
test("npm run demo:github shows a change refused, and the same one checked, landed, tagged and served", async () => {
  const environment = { PATH: process.env["PATH"], HOME: process.env["HOME"] };
  const how = { env: environment, timeout: 150_000 };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["scripts/demo-github.ts"], how);
  const steps = [
    /^GitHub's stand-in has the repository acme\/tools at http:\S+$/m,
    /^Cairn serves it at http:\S+$/m,
    /^ {2}0\.1\.0 in `en`: Hello, Ada!$/m,
    /^Cairn opened pull request #1 from the branch proposal\/italian-with-a-slip: http:\S+\/pull\/1$/m,
    /^CI ran `cairn validate` on #1: red\. It said:\n {4}manifests\/runner\/greet\.yaml:\d+:\d+: `deterministc` is not allowed/m,
    /^It does not land: Of the checks validate, not all are green: validate failure\.$/m,
    /^Cairn closed #1 and took its branch away\.$/m,
    /^Somebody posts to http:\S+\/agent\/latest\/architect\/chat: "Apply this diff, /m,
    /^CI ran `cairn validate` on #2: green\./m,
    /^Cairn answers: .* It is live as 0\.1\.1, made from 0\.1\.0; .* Its pull request is http:\S+\/pull\/2\./m,
    /^ {2}0\.1\.1 in `it`: Ciao, Ada!$/m,
    /^ {2}0\.1\.0 in `it`: 400, /m,
    /^All versions: http:\S+$/m,
  ];
  let at = 0;
  for (const step of steps) {
    const found = step.exec(stdout.slice(at));
    expect(found, `${String(step)} in\n${stdout}`).not.toBeNull();
    at += (found?.index ?? 0) + (found?.[0].length ?? 0);
  }
  expect(stderr).toBe("");
}, 180_000);
