import { loadGit as loadRealGit } from "../../../server/versions/git/git.ts";
import { openLmdbStore as openRealStore } from "../../../server/store/lmdb/lmdb.ts";
import { createKillPoints } from "./kill-points.ts";

const reach = createKillPoints(process.env);

/** Killed when a transaction is on the disk and nobody has heard of it. */
export const openLmdbStore: typeof openRealStore = async (options) => {
  const store = await openRealStore(options);
  return {
    ...store,
    async commit(commit) {
      const result = await store.commit(commit);
      reach(`commit ${[...(commit.set ?? [])].map(({ key }) => key.join("/")).join(" ")}`);
      return result;
    },
    async claim(request) {
      const claimed = await store.claim(request);
      if (claimed.length > 0) reach(`claim ${request.queue.join("/")}`);
      return claimed;
    },
  };
};

/** Killed when a command has begun, which then goes on without the service, and when one has ended. */
export const loadGit: typeof loadRealGit = async (options) => {
  const git = await loadRealGit(options);
  return {
    ...git,
    async run(args, how) {
      const name = args.filter((arg) => !/^-c$|=/.test(arg)).join(" ");
      const running = git.run(args, how);
      reach(`begun git ${name}`);
      try {
        return await running;
      } finally {
        reach(`ended git ${name}`);
      }
    },
  };
};

const { fetch: realFetch } = globalThis;

/** The same for what is asked of the forge's host. */
globalThis.fetch = async (input, init) => {
  const url = input instanceof Request ? input.url : String(input);
  const host = process.env["CAIRN_GITHUB_API"];
  if (host === undefined || !url.startsWith(host)) return realFetch(input, init);
  const name = `${init?.method ?? "GET"} ${url.slice(host.length)}`;
  const asking = realFetch(input, init);
  reach(`begun ${name}`);
  try {
    return await asking;
  } finally {
    reach(`ended ${name}`);
  }
};
