import { describe, expect, test } from "vitest";
import { LOCAL_CALLER } from "../../../../server/auth/caller.ts";
import { openArchitectService } from "../../../helpers/architect-service.ts";
import { runIn } from "../run-in.ts";

describe("cairn work waiting", () => {
  test("says what to do where the version has no tool that lists tasks, and lists with the data folder there", async () => {
    const { service, data } = await openArchitectService({ people: { "": LOCAL_CALLER } });
    const asked = await runIn(".", ["work", "waiting", "--url", service.url]);
    expect(asked.code).toBe(1);
    expect(asked.printed).toMatch(/^cairn: There is no tool `task_list` in version 1\.0\.0; it has: /);
    expect(asked.printed).toContain(
      "On the machine of the service, `cairn work waiting --data <its data folder>` lists",
    );
    expect(asked.printed).toContain("`cairn add work` adds the tools that this command calls");
    const listed = await runIn(".", ["work", "waiting", "--data", data]);
    expect(listed).toEqual({ code: 0, printed: "Nothing waits for an approval or an answer." });
  });
});
