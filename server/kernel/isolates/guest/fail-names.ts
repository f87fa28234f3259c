import type { FailName } from "../../../host-api.ts";

/** The names that a handler may raise; the host API's type says the same to its author. */
export const FAIL_NAMES: Readonly<Record<FailName, true>> = Object.freeze({
  BAD_REQUEST: true,
  CONFLICT: true,
  CONVERSATION_NOT_FOUND: true,
  FORBIDDEN: true,
  INVARIANT_VIOLATION: true,
  NODE_NOT_FOUND: true,
  NOT_FOUND: true,
  UNPROCESSABLE: true,
  UPSTREAM_ERROR: true,
});
