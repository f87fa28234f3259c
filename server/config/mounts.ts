import { isAbsolute } from "node:path";

/** Folder of this machine that the operator lends to commands of upstreams. */
export interface LentFolder {
  readonly folder: string;
  readonly isWritable: boolean;
}

/** Reads `name=folder` and `name=folder:rw`. `wrong` takes what is expected of a pair that is neither. */
export function readMounts(
  pairs: readonly string[],
  wrong: (expected: string) => void,
): ReadonlyMap<string, LentFolder> {
  const map = new Map<string, LentFolder>();
  for (const pair of pairs) {
    const [, name, folder, mode] = /^([a-z][a-z0-9_-]{0,63})=(.+?)(:rw)?$/.exec(pair) ?? [];
    if (name === undefined || folder === undefined || !isAbsolute(folder)) {
      wrong(`\`${pair}\` must be \`name=folder\` or \`name=folder:rw\`, with an absolute path`);
    } else map.set(name, Object.freeze({ folder, isWritable: mode !== undefined }));
  }
  return map;
}
