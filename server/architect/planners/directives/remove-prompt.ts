import type { Path } from "../../edit/edit-json.ts";
import type { Deed } from "./phrase.ts";

/** Takes a prompt away, which a server has at `at`; a list of prompts that has no other goes with it. */
export function removePrompt(file: string, at: Path, name: string): Deed {
  return async (bench) => {
    const list = at.slice(0, -1);
    const all = await bench.find(file, list);
    await bench.remove(file, Array.isArray(all) && all.length === 1 ? list : at);
    bench.say(`The prompt \`${name}\` is gone.`);
    bench.need("major");
  };
}
