/** One statement, under the name that the server prepares it by. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/**
 * Version of the tables below, which the database keeps beside them. A Cairn that knows no `SHARED_TABLES` must not start beside
 * nodes that use them, so these raise it.
 */
export const SCHEMA_VERSION = 1;
export const SHARED_SCHEMA_VERSION = 2;

/** Version of tables that a copy is being written into: no store to be opened. */
export const COPYING_VERSION = 0;
/** Version of tables whose store was moved into a data folder: out of use. The row of their lease keeps saying by whom. */
export const MOVED_VERSION = -1;

/** Numbers that one `nextval` takes: the revisions of one group of commits. */
export const REVS_PER_GROUP = 1_024;

/**
 * Tables and their indexes. `body` and `bytes` are JSON text, exactly as written: `jsonb` would order members anew. An entry
 * that no one has claimed has `leased_until` 0, one without an end `expires_at` 0. Times are milliseconds since 1970.
 */
export const TABLES: readonly string[] = [
  "create table if not exists cairn_store (id uuid primary key, version bigint not null)",
  // Of several nodes that find no store at once, one makes it.
  "create unique index if not exists cairn_store_one on cairn_store ((version is not null))",
  "create table if not exists cairn_entries (key bytea primary key, rev bigint not null, expires_at bigint not null, leased_until bigint not null, parent bytea not null, body text not null)",
  "create index if not exists cairn_entries_leased on cairn_entries (parent, leased_until) where leased_until > 0",
  "create index if not exists cairn_entries_due on cairn_entries (expires_at) where expires_at > 0",
  "create table if not exists cairn_logs (name bytea not null, seq bigint not null, hash bytea not null, bytes text not null, primary key (name, seq))",
  "create table if not exists cairn_heads (name bytea primary key, seq bigint not null, hash bytea not null)",
  "create table if not exists cairn_ids (id bytea primary key, result text not null, expires_at bigint not null)",
  "create index if not exists cairn_ids_due on cairn_ids (expires_at)",
  "create table if not exists cairn_turns (id uuid primary key, at bigint not null, happened boolean not null)",
  "create index if not exists cairn_turns_at on cairn_turns (at)",
  "create table if not exists cairn_lease (name text primary key, holder uuid not null, node text not null, label text not null, until bigint not null)",
  `create sequence if not exists cairn_revs increment by ${REVS_PER_GROUP}`,
];

/** Tables that several nodes need besides; the first of them makes them. */
export const SHARED_TABLES: readonly string[] = [
  "create table if not exists cairn_nodes (node text primary key, holder uuid not null, label text not null, address text not null, release text not null, started bigint not null, until bigint not null)",
  "create table if not exists cairn_hints (id uuid primary key, at bigint not null, keys text not null)",
  "create index if not exists cairn_hints_at on cairn_hints (at)",
];

const NOW = "(extract(epoch from clock_timestamp()) * 1000)::bigint";
/** A row joins the page until the rows before it hold so many bytes; the first always does. */
const withinBytes = (table: string, columns: string, size: string, range: string, order: string) =>
  `select ${columns}, found from (select ${columns}, count(*) over () as found, sum(octet_length(${size})) over (order by ${order} rows unbounded preceding) - octet_length(${size}) as before from (select ${columns} from ${table} where ${range} order by ${order} limit $3) page) sized where before < $4 order by ${order}`;
const ENTRY = "key, rev, expires_at, leased_until, parent, body";

/**
 * Everything that the engine says to the server besides `TABLES`. Plain SQL, which CockroachDB and YugabyteDB have as well: no
 * advisory locks, no functions or triggers of our own, no `skip locked`, no `listen`.
 */
const TEXTS = {
  begin: "begin isolation level read committed",
  beginSnapshot: "begin isolation level repeatable read read only",
  commit: "commit",
  rollback: "rollback",

  isReadOnly: "show transaction_read_only",
  serverEncoding: "show server_encoding",
  serverVersion: "show server_version",
  fsync: "show fsync",
  synchronousCommit: "show synchronous_commit",
  readClock: `select ${NOW} as now`,
  findVersion: "select id, version from cairn_store",
  insertVersion:
    "insert into cairn_store (id, version) select $1::uuid, $2::bigint where not exists (select 1 from cairn_store)",

  setVersion: "update cairn_store set version = $1",
  findAny: "select 1 from cairn_entries union all select 1 from cairn_logs limit 1",
  clearEntries: "delete from cairn_entries",
  clearLogs: "delete from cairn_logs",
  clearHeads: "delete from cairn_heads",
  clearIds: "delete from cairn_ids",

  lockLease: "select holder, node, label, until from cairn_lease where name = 'node' for update",
  insertLease:
    "insert into cairn_lease (name, holder, node, label, until) values ('node', $1, $2, $3, $4) on conflict (name) do nothing",
  updateLease: "update cairn_lease set holder = $1, node = $2, label = $3, until = $4 where name = 'node'",
  renewLease: `update cairn_lease set until = ${NOW} + $2::bigint where name = 'node' and holder = $1`,
  releaseLease: "update cairn_lease set until = 0 where name = 'node' and holder = $1",
  findHolder: "select holder, label from cairn_lease where name = 'node'",

  lockNode: "select holder, label from cairn_nodes where node = $1 for update",
  findNode: "select holder, label from cairn_nodes where node = $1",
  listNodes: `select node, holder, label, address, release, started, until, ${NOW} as now from cairn_nodes order by node`,
  insertNode: `insert into cairn_nodes (node, holder, label, address, release, started, until) values ($1, $2, $3, $4, $5, ${NOW}, ${NOW} + $6::bigint) on conflict (node) do nothing`,
  updateNode: `update cairn_nodes set holder = $2, label = $3, address = $4, release = $5, started = ${NOW}, until = ${NOW} + $6::bigint where node = $1`,
  renewNode: `update cairn_nodes set until = ${NOW} + $3::bigint where node = $1 and holder = $2`,
  releaseNode: "delete from cairn_nodes where node = $1 and holder = $2",
  /** Of a node that gave no sign of life since it was seen with this `until`. */
  evictNode: `delete from cairn_nodes where node = $1 and holder = $2 and until = $3 and until < ${NOW}`,
  clearNodes: "delete from cairn_nodes",

  insertHint: `insert into cairn_hints (id, at, keys) values ($1, ${NOW}, $2)`,
  listHints: `select id, at, keys from cairn_hints where at > $1 order by at limit $2`,
  purgeHints: `delete from cairn_hints where at < ${NOW} - $1::bigint`,

  lockHeads: "select name, seq, hash from cairn_heads where name = any($1::bytea[]) order by name for update",
  lockEntries:
    "select key, rev, expires_at, leased_until from cairn_entries where key = any($1::bytea[]) order by key for update",
  readBodies: "select key, body from cairn_entries where key = any($1::bytea[])",
  findIds: "select id, result, expires_at from cairn_ids where id = any($1::bytea[])",
  /** Also says how many of the transactions that must be there are. */
  takeRevs: `select nextval('cairn_revs') as rev, ${NOW} as now, (select count(*) from cairn_turns where happened and id = any($1::uuid[])) as kept`,

  insertEntries:
    "insert into cairn_entries (key, rev, expires_at, leased_until, parent, body) select * from unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[], $6::text[])",
  updateEntries:
    "update cairn_entries e set rev = u.rev, expires_at = u.expires_at, leased_until = u.leased_until, body = u.body from unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[]) as u(key, rev, expires_at, leased_until, body) where e.key = u.key",
  updateLeases:
    "update cairn_entries e set rev = u.rev, leased_until = u.leased_until from unnest($1::bytea[], $2::bigint[], $3::bigint[]) as u(key, rev, leased_until) where e.key = u.key",
  deleteEntries: "delete from cairn_entries where key = any($1::bytea[])",
  insertLogs:
    "insert into cairn_logs (name, seq, hash, bytes) select * from unnest($1::bytea[], $2::bigint[], $3::bytea[], $4::text[])",
  insertHeads: "insert into cairn_heads (name, seq, hash) select * from unnest($1::bytea[], $2::bigint[], $3::bytea[])",
  updateHeads:
    "update cairn_heads h set seq = u.seq, hash = u.hash from unnest($1::bytea[], $2::bigint[], $3::bytea[]) as u(name, seq, hash) where h.name = u.name",
  /** Of those whose time is over: one that another node kept meanwhile stays, and the insert fails. */
  deleteIds: "delete from cairn_ids where id = any($1::bytea[]) and expires_at <= $2",
  insertIds:
    "insert into cairn_ids (id, result, expires_at) select * from unnest($1::bytea[], $2::text[], $3::bigint[])",
  insertTurn: `insert into cairn_turns (id, at, happened) values ($1, ${NOW}, true)`,
  /** Writes even where the turn is there: so its answer is as safe as the server's settings make commits, also the one it asks about. */
  settleTurn: `insert into cairn_turns (id, at, happened) values ($1, ${NOW}, false) on conflict (id) do update set happened = cairn_turns.happened`,
  /** Those of some transactions that have happened. */
  findTurns: "select id from cairn_turns where happened and id = any($1::uuid[])",

  readEntries: `select ${ENTRY} from cairn_entries where key = any($1::bytea[])`,
  scanForward: withinBytes("cairn_entries", ENTRY, "body", "key >= $1 and key < $2", "key"),
  scanReverse: withinBytes("cairn_entries", ENTRY, "body", "key >= $1 and key < $2", "key desc"),
  scanLog: withinBytes("cairn_logs", "name, seq, hash, bytes", "bytes", "name = $1 and seq >= $2", "seq"),
  headOfLog: "select seq, hash, bytes from cairn_logs where name = $1 order by seq desc limit 1",
  findRanOut:
    "select key from cairn_entries where parent = $1 and leased_until > 0 and leased_until <= $2 and (expires_at = 0 or expires_at > $2) order by leased_until, key limit $3",
  findFree:
    "select key from cairn_entries where key > $1 and key < $2 and parent = $1 and leased_until = 0 and (expires_at = 0 or expires_at > $3) order by key limit $4",

  purgeEntries:
    "delete from cairn_entries where key in (select key from cairn_entries where expires_at > 0 and expires_at <= $1 order by key limit $2 for update)",
  purgeIds: "delete from cairn_ids where id in (select id from cairn_ids where expires_at <= $1 order by id limit $2)",
  purgeTurns: `delete from cairn_turns where at < ${NOW} - $1::bigint and id <> $2`,

  listHeads: "select name, seq, hash from cairn_heads where name > $1 order by name limit $2",
  listIds: "select id, result, expires_at from cairn_ids where id > $1 order by id limit $2",
  lastRev: "select last_value as rev from cairn_revs",
  setRev: "select setval('cairn_revs', $1)",
} as const;

export const STATEMENTS = Object.freeze(
  Object.fromEntries(
    Object.entries(TEXTS).map(([name, text]) => [name, Object.freeze({ name: `cairn_${name}`, text })]),
  ),
) as Readonly<Record<keyof typeof TEXTS, Statement>>;
