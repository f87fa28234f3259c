import type { RandomSource } from "../cma/restarts.ts";
import { normalAt } from "../normal.ts";
import { uniformAt } from "../uniform.ts";

/** Numbers that depend on their place alone, so that a fold of events needs no state of a generator. */
export const RANDOM: RandomSource = Object.freeze({ uniform: uniformAt, normal: normalAt });
