import type { ConfigReader } from "../config/config-reader.ts";
import type { SecretReference } from "../config/secret-reference.ts";

/** Settings that every kind of forge shares. */
export interface SharedForgeSettings {
  /** The path or URL of the repository that is served; empty: the embedded one. */
  readonly repository: string;
  /** Says whether that is on another machine. */
  readonly isRemote: boolean;
  /** Seconds between looks at a change that waits elsewhere for checks or people. */
  readonly interval: number;
}

/**
 * The configuration's half of a kind of forge, in its folder as `config.ts`; `ForgeAdapter` is the other half. The list in
 * `server/config/config-forge.ts` names them all.
 */
export interface ForgeSettingsReader<Variable extends string, Forge, Host> {
  /** Environment variables of its own, with their documentation. */
  readonly variables: Readonly<Record<Variable, string>>;
  /** Says what to set to get such a forge, as part of a sentence. */
  readonly hint: string;
  /** Reads its variables, whether or not this forge will be the one, so that every mistake is reported. */
  readonly read: (
    read: ConfigReader<Variable | "CAIRN_FORGE">,
    shared: SharedForgeSettings,
  ) => ForgeSettingsRead<Forge, Host>;
  /** Finds the secrets among the settings of its host, to be masked wherever they turn up. */
  readonly secretsOf: (host: Host) => readonly SecretReference[];
}

export interface ForgeSettingsRead<Forge, Host> {
  /** Settings of what changes the repository. */
  readonly forge: Forge;
  /** Says why it cannot change this repository; absent: it can. */
  readonly misfit?: string;
  /** Settings of the place that the repository is at, whatever changes it. Absent: it is not at a place of this kind. */
  readonly host?: Host;
}
