import { CairnError } from "../../errors.ts";
import type { Revoked } from "../../versions/policy.ts";
import { revokesSecret } from "../../versions/revoked.ts";
import type { Secrets } from "./secrets.ts";

/** Puts revocations before secrets: a call that needs one of those is refused, in every version. @throws FORBIDDEN */
export function refuseRevoked(secrets: Secrets, revoked: () => Revoked): Secrets {
  return {
    ...secrets,
    async find(secret, caller) {
      if (!revokesSecret(revoked(), secret.name)) return secrets.find(secret, caller);
      const message = `The secret \`${secret.name}\` is revoked by the policies of the default branch, so no request carries it.`;
      throw new CairnError("FORBIDDEN", message, { details: { revoked: secret.name } });
    },
  };
}
