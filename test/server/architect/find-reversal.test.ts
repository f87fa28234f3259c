import { describe, expect, test } from "vitest";
import { openArchitectService } from "../../helpers/architect-service.ts";

/** A service whose `1.0.1` has another limit, with the id of the feedback that set it. */
async function setUp() {
  const service = await openArchitectService();
  const say = async (message: string, version = "latest", dryRun = false) => {
    const { body, headers } = await service.chat("ada", { message, dry_run: dryRun }, { version });
    return { ...body, id: headers.get("cairn-feedback") ?? "", run: headers.get("cairn-run") ?? "" };
  };
  const first = await say("Set most of limits to 4.");
  expect(first).toMatchObject({ result: "committed", new_version: "1.0.1" });
  return {
    ...service,
    say,
    id: first.id,
    run: first.run,
    notes: String(first.notes),
    commit: String(first.commit_hash),
  };
}

describe("what feedback has landed", () => {
  test("is taken back by its id as a change of its own, and what has landed since stays", async () => {
    const { say, id, origin } = await setUp();
    const limits = () => origin.git("show", "main:manifests/parameters/limits.yaml");
    const described = await say('Set the description of runner.greet to "Says hello to somebody."');
    expect(described.new_version).toBe("1.0.2");
    const dry = await say(`undo ${id}`, "latest", true);
    expect(dry.notes).toMatch(/^Dry run/);
    const undone = await say(`Undo the change ${id}.`);
    expect(undone).toMatchObject({ result: "committed", new_version: "1.0.3" });
    expect(undone.notes).toMatch(/^Taken back from 1\.0\.1: The parameter/);
    expect(await limits()).toContain("default: 3");
    expect(await origin.git("show", "main:manifests/runner/greet.yaml")).toContain("Says hello to somebody.");
    expect(await origin.git("show", "main:versions.yaml")).toContain(
      "Taken back from 1.0.1: The parameter `limits.most`",
    );
    const again = await say(`undo ${id}`);
    expect(again.result).toBe("rejected");
    expect(again.notes).toContain(`has nothing of what the feedback \`${id}\` changed`);
    const redone = await say(`undo ${undone.id}`);
    expect(redone).toMatchObject({ result: "committed", new_version: "1.0.4" });
    expect(await limits()).toContain("default: 4");
  });

  test("and others have changed in the same place is not, and the answer says what to revert", async () => {
    const { say, id, commit } = await setUp();
    await say("Set most of limits to 5.");
    const { result, notes } = await say(`undo ${id}`);
    expect(result).toBe("rejected");
    expect(notes).toContain(`What the feedback \`${id}\` changed in 1.0.1 (commit \`${commit}\`) cannot be taken back`);
    expect(notes).toContain("`manifests/parameters/limits.yaml` was changed in the same places since.");
    expect(notes).toContain(`\`git revert ${commit}\` on \`main\``);
  });

  test("is taken back as its answer says, and by its run as well", async () => {
    const { say, id, run, notes } = await setUp();
    expect(notes).toMatch(new RegExp(`Run ${run} has .*\\. \`undo ${id}\` takes it back\\.$`));
    const undone = await say(`undo ${run}`);
    expect(undone).toMatchObject({ result: "committed", new_version: "1.0.2" });
    const again = await say(`undo ${run}`);
    expect(again.notes).toContain(`has nothing of what the feedback \`${id}\` changed`);
  });

  test("is tuning where nothing was committed, and is taken back by its run as well", async () => {
    const { chat } = await openArchitectService();
    const say = (message: string, dry_run = false) => chat("mia", { message, dry_run });
    const dry = await say("Promote long for style.", true);
    const nothing = await say(`undo ${dry.headers.get("cairn-run")}`);
    expect(nothing.body.notes).toContain("has changed nothing: it was a dry run.");
    const tuned = await say("Promote long for style.");
    const undone = await say(`undo ${tuned.headers.get("cairn-run")}`);
    expect(undone.body).toMatchObject({ result: "tuned", notes: expect.stringContaining("`style` now runs with") });
  });

  test("is nothing where feedback was a dry run, was rejected, or is not known", async () => {
    const { say } = await setUp();
    const dry = await say("Set most of limits to 6.", "latest", true);
    expect((await say(`undo ${dry.id}`)).notes).toContain(`\`${dry.id}\` has changed nothing: it was a dry run.`);
    const rejected = await say("Colourless green ideas sleep furiously");
    expect((await say(`undo ${rejected.id}`)).notes).toContain("has changed nothing: it was rejected.");
    const unknown = "01a20306-1dca-7000-9757-e99bba9294a1";
    const { notes } = await say(`undo ${unknown}`);
    expect(notes).toContain(`There is no feedback \`${unknown}\` here, and no run of any.`);
    expect(notes).toContain("a commit has it as `Cairn-Feedback` in its message");
    expect(notes).not.toContain("should be active");
  });
});
