import { describe, expect, test } from "vitest";
import { LOCAL_PRINCIPAL, type Principal } from "../../../server/principal.ts";
import { createDriftPicture } from "../../../server/resources/drift.ts";
import { lineageLog } from "../../../server/store/keys.ts";
import type { Json } from "../../../server/store/store.ts";
import type { Picture } from "../../../server/capabilities/tuner/plots/picture.ts";
import { renderPicture } from "../../../server/capabilities/tuner/plots/render-picture.ts";
import { openTestStore } from "../../helpers/store.ts";
import { createTestVersion } from "../../helpers/test-version.ts";

async function openPicture() {
  const store = await openTestStore();
  const drawn: Picture[] = [];
  const renderer = {
    render(picture: Picture) {
      drawn.push(picture);
      return renderPicture(picture);
    },
  };
  const version = createTestVersion({
    tools: [
      { name: "lineage.replay", server: "beliefs", uses: new Set(["lineage.read"]), requiredCapabilities: ["look"] },
      { name: "node.create", server: "beliefs", uses: new Set(["lineage.write"]) },
    ],
  });
  const server = version.servers.get("beliefs");
  if (server === undefined) throw new TypeError("There is no server.");
  const provide = createDriftPicture({ store, renderer });
  const uri = "assets://beliefs/drift.svg";
  return {
    drawn,
    read: (principal: Principal = LOCAL_PRINCIPAL) => provide({ version, server, principal, uri, variables: {} }),
    append: (...entries: Json[]) => {
      const log = lineageLog(LOCAL_PRINCIPAL.tenant, "beliefs", server.state ?? version.commit);
      return store.commit({ append: entries.map((entry) => ({ log, entry: { at: 0, entry, schemaVersion: 1 } })) });
    },
  };
}

describe("the picture of drift", () => {
  test("shows what entries say of drift and coherence, as of now", async () => {
    const { read, append } = await openPicture();
    expect(await read()).toContain("Nothing yet: nothing has changed.");
    await append({ op: "a", drift: 0, coherent: true }, { op: "b", drift: 2e-7, coherent: false });
    const svg = await read();
    expect(svg).toContain("Drift 2e-7 now and 2e-7 at most; coherent after 1 of 2 changes.");
    expect(svg).toMatch(/^<svg [^>]*>.*<\/svg>\s*$/s);
  });

  test("[B6] shows nothing else of them, and nothing of entries without", async () => {
    const { read, append, drawn } = await openPicture();
    await append(
      { op: "planted-op", node: 918_273, weight: 0.7310585786, drift: 0, coherent: true },
      { drift: "planted-drift", coherent: true },
      "planted-entry",
    );
    const all = `${await read()}${JSON.stringify(drawn)}`;
    expect(all).not.toMatch(/planted|918,?273|0\.73105/);
    expect(all).toContain("coherent after 1 of 1 changes");
  });

  test("goes back 500 changes, and is drawn once", async () => {
    const { read, append, drawn } = await openPicture();
    await append(...Array.from({ length: 510 }, () => ({ drift: 0, coherent: true })));
    const [first, second] = [await read(), await read()];
    expect(first).toContain("coherent after 500 of 500 changes");
    expect([second, drawn.length]).toEqual([first, 1]);
  });

  test("is for those who may read the lineage, and each tenant's own", async () => {
    const { read, append } = await openPicture();
    await append({ drift: 0, coherent: true });
    const without = { ...LOCAL_PRINCIPAL, capabilities: new Set<string>() };
    await expect(read(without)).rejects.toMatchObject({ name: "NOT_FOUND" });
    expect(await read({ ...LOCAL_PRINCIPAL, tenant: "other" })).toContain("nothing has changed");
  });
});
