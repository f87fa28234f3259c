import { STATE_PHRASES } from "./adjust-state.ts";
import { CAPABILITY_PHRASES } from "./change-capabilities.ts";
import { EXAMPLE_PHRASES } from "./change-examples.ts";
import { FIELD_PHRASES } from "./change-fields.ts";
import { FILE_PHRASES } from "./change-files.ts";
import { LENGTH_PHRASES } from "./change-length.ts";
import { LIMIT_PHRASES } from "./change-limits.ts";
import { TEXT_PHRASES } from "./change-texts.ts";
import { TOOL_PHRASES } from "./change-tools.ts";
import { VALUE_PHRASES } from "./change-values.ts";
import { LABEL_PHRASES } from "./move-labels.ts";
import type { Phrase } from "../phrase.ts";
import { PARAMETER_PHRASES } from "./set-parameters.ts";
import { TUNE_PHRASES } from "./tune.ts";

/** All that is understood: what is more special comes first. */
export const PHRASES: readonly Phrase[] = [
  ...FILE_PHRASES,
  ...STATE_PHRASES,
  ...TEXT_PHRASES,
  ...LIMIT_PHRASES,
  ...LABEL_PHRASES,
  ...EXAMPLE_PHRASES,
  ...CAPABILITY_PHRASES,
  ...FIELD_PHRASES,
  ...LENGTH_PHRASES,
  ...PARAMETER_PHRASES,
  ...VALUE_PHRASES,
  ...TUNE_PHRASES,
  ...TOOL_PHRASES,
];
