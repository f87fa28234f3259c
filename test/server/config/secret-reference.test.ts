import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadReferencedSecret, readSecretReference } from "../../../server/config/secret-reference.ts";
import { temporaryFolder } from "../../helpers/temporary.ts";

function read(text: string | undefined, environment: Readonly<Record<string, string>> = {}) {
  const problems: string[] = [];
  const reference = readSecretReference("SOME", text, environment, (problem) => void problems.push(problem));
  return { reference, problems };
}

describe("a reference to a secret", () => {
  test("names an environment variable or a file", () => {
    expect(read("env:NAME", { NAME: "s" })).toEqual({ reference: { value: "s" }, problems: [] });
    expect(read("file:/run/a")).toEqual({ reference: { file: "/run/a" }, problems: [] });
    expect(read(undefined)).toEqual({ reference: undefined, problems: [] });
  });

  test("is not the secret itself, and is not shown when it is", () => {
    expect(read("hunter2").problems).toEqual([
      "SOME must be `env:NAME` or `file:/path`: a reference to the secret, not the secret",
    ]);
    expect(read("env:NAME").problems).toEqual(["SOME names the environment variable `NAME`, which is not set"]);
  });

  test("leads to what the file has, without the end of its line", async () => {
    const file = join(await temporaryFolder(), "secret");
    await writeFile(file, "s3cret\n");
    expect(await loadReferencedSecret("SOME", { file })).toBe("s3cret");
    expect(await loadReferencedSecret("SOME", { value: "s\n" })).toBe("s\n");
    await writeFile(file, "\n");
    await expect(loadReferencedSecret("SOME", { file })).rejects.toThrow("The file that SOME names is empty.");
    await expect(loadReferencedSecret("SOME", { file: "/nowhere" })).rejects.toThrow(
      "The file that SOME names cannot be read.",
    );
  });
});
