import type { Phrase } from "./phrase.ts";
import { STATE_PHRASES } from "./phrases/adjust-state.ts";
import { CAPABILITY_PHRASES } from "./phrases/change-capabilities.ts";
import { EXAMPLE_PHRASES } from "./phrases/change-examples.ts";
import { FIELD_PHRASES } from "./phrases/change-fields.ts";
import { FILE_PHRASES } from "./phrases/change-files.ts";
import { LENGTH_PHRASES } from "./phrases/change-length.ts";
import { LIMIT_PHRASES } from "./phrases/change-limits.ts";
import { TEXT_PHRASES } from "./phrases/change-texts.ts";
import { TOOL_PHRASES } from "./phrases/change-tools.ts";
import { VALUE_PHRASES } from "./phrases/change-values.ts";
import { LABEL_PHRASES } from "./phrases/move-labels.ts";
import { PARAMETER_PHRASES } from "./phrases/set-parameters.ts";
import { TUNE_PHRASES } from "./phrases/tune.ts";

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
