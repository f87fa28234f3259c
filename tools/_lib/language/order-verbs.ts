import { stem } from "./stem.ts";

/** Verbs that names of tools are made of: everybody says them about anything. What else a name has is what the tool is about. */
const VERBS = new Set(
  `add advance answer append apply approve archive ask assign attach bind block book build buy calculate call cancel change check claim clear close
   commit compare complete compute configure connect convert copy count create deactivate debug delete deploy describe disable download draw drop edit
   enable end erase evaluate execute export extend fetch fill find fit forward generate get give grant import increase insert install invite invoke
   issue join launch link list load lock log look make mark merge migrate move mutate open pause pay play post print promote propagate propose publish
   pull push put query read record refresh register reject release remind remove rename repeat replace reset resolve restart restore resume retry
   revert revoke reward roll rotate run save schedule search sell send set share show sign split start stop store submit subscribe sync tell train
   transfer translate turn undo unlock update upgrade upload validate verify view wait watch withdraw write`
    .split(/\s+/)
    .map(stem),
);

/** Checks that a stem is that of such a verb. */
export function isOrderVerb(term: string): boolean {
  return VERBS.has(term);
}
