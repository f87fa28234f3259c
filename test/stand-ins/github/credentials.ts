import { createVerify, generateKeyPairSync, randomBytes } from "node:crypto";
import { type Actor, refuse } from "./reply.ts";

export interface Credentials {
  /** The app's own key, PKCS#8 as PEM. */
  readonly privateKey: string;
  /** A personal access token of a user, which may be one that only reads. */
  issueUserToken(login: string, options?: { readonly isReadOnly?: boolean }): string;
  issueInstallationToken(): { readonly token: string; readonly expires_at: string };
  /** Nobody is let in with it any more. */
  revoke(token: string): void;
  /** The same for all tokens that there are. */
  revokeAll(): void;
  /** Who an `Authorization` header belongs to; 401 for nobody. */
  identify(header: string | undefined): Actor;
}

const TOKEN_LIFE_MS = 3_600_000;
/** The longest that an app may vouch for itself, and how far clocks may differ. */
const JWT_LIFE_S = 600;
const SKEW_S = 60;

/** Of every host: making one takes longer than a test. */
const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });

export function createCredentials(app: { readonly id: number; readonly slug: string }): Credentials {
  const publicKey = pair.publicKey.export({ type: "spki", format: "pem" }).toString();
  const tokens = new Map<string, Actor>();
  const issue = (prefix: string, actor: Actor) => {
    const token = `${prefix}_${randomBytes(18).toString("hex")}`;
    tokens.set(token, actor);
    return token;
  };

  function identifyApp(jwt: string): Actor {
    const [head = "", body = "", signature = ""] = jwt.split(".");
    const isSigned = createVerify("RSA-SHA256").update(`${head}.${body}`).verify(publicKey, signature, "base64url");
    if (!isSigned) throw refuse(401, "A JSON web token could not be decoded");
    const claims = JSON.parse(Buffer.from(body, "base64url").toString()) as Record<"iss" | "iat" | "exp", unknown>;
    const [issued, expires, now] = [Number(claims.iat), Number(claims.exp), Date.now() / 1000];
    if (String(claims.iss) !== String(app.id)) throw refuse(401, "Integration not found");
    if (!(expires > now - SKEW_S)) throw refuse(401, "'Expiration time' claim ('exp') is too far in the past");
    if (!(issued < now + SKEW_S) || expires - now > JWT_LIFE_S + SKEW_S) {
      throw refuse(401, "'Expiration time' claim ('exp') is too far in the future");
    }
    return { login: app.slug, kind: "app" };
  }

  return {
    privateKey: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    issueUserToken: (login, options = {}) => issue("ghp", { login, kind: "user", ...options }),
    issueInstallationToken: () => ({
      token: issue("ghs", { login: `${app.slug}[bot]`, kind: "installation" }),
      expires_at: new Date(Date.now() + TOKEN_LIFE_MS).toISOString(),
    }),
    revoke: (token) => void tokens.delete(token),
    revokeAll: () => tokens.clear(),
    identify(header) {
      if (header === undefined) throw refuse(401, "Requires authentication");
      const [scheme = "", value = ""] = header.split(" ");
      // Git sends a token as the password of any user.
      const given =
        scheme.toLowerCase() === "basic"
          ? Buffer.from(value, "base64")
              .toString()
              .replace(/^[^:]*:/, "")
          : value;
      const actor = given.split(".").length === 3 ? identifyApp(given) : tokens.get(given);
      if (actor === undefined) throw refuse(401, "Bad credentials");
      return actor;
    },
  };
}
