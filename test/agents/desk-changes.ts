/** A change of one text in a file of the desk. */
export type TextChange = readonly [path: string, before: string, after: string];

const handler = (name: string, before: string, after: string): TextChange => [`tools/desk/${name}.ts`, before, after];

/** Changes of behaviour, as people make them by accident. */
export const PLANTED: Readonly<Record<string, readonly TextChange[]>> = {
  "one too many": [handler("list", "slice(0, limit)", "slice(0, limit + 1)")],
  "the other order": [handler("list", "one.due - other.due", "other.due - one.due")],
  "a missing filter": [handler("list", "    .filter((ticket) => ticket.status === status)\n", "")],
  "another default": [["manifests/desk/list.yaml", "default: 5", "default: 4"]],
  "another time zone": [handler("report", 'timeZone: "UTC"', 'timeZone: "Europe/Berlin"')],
  "other rounding": [handler("report", "Math.round(sum", "Math.floor(sum")],
  "an error in place of an answer": [
    handler(
      "read",
      "  const { title,",
      '  if (ticket.status === "closed") throw ctx.fail("NOT_FOUND", "It is closed.");\n  const { title,',
    ),
  ],
  "an answer in place of an error": [
    handler(
      "give",
      '  if (!response.ok) throw ctx.fail("UPSTREAM_ERROR", `The rota answers ${response.status}.`);\n  const people = response.json();',
      '  const people = response.ok ? response.json() : ["nobody"];',
    ),
  ],
  "a dropped member": [handler("read", "title, priority, status, owner, comments:", "title, status, owner, comments:")],
  "another message": [handler("read", "There is no ticket ${id}.", "Ticket ${id} is unknown.")],
  "a write to another key": [handler("comment", 'set(["comments", id]', 'set(["comment", id]')],
  "one more write": [
    handler("open", "  return { ticket };", '  await ctx.state.set(["last"], id);\n  return { ticket };'),
  ],
  "a missing write": [handler("give", '  await ctx.state.set(["load", owner], load + 1);\n', "")],
  "a stale read": [
    handler("close", 'const { status } = await ctx.state.get(["tickets", id]);', "const { status } = ticket;"),
  ],
  "hours for minutes": [handler("due", "3_600_000", "60_000")],
  "less for less or equal, and the wrong way": [handler("list", "late: due <= now", "late: due > now")],
  "other random numbers": [handler("open", "Math.floor(ctx.random() * 1e6)", "Math.floor(ctx.random() * 1e5)")],
  "another text to a host": [handler("comment", "`Re: ${ticket.title}`", "ticket.title")],
  "a host that is not asked": [handler("comment", "if (isSent) {", "if (isSent && text.length > 100) {")],
  "a session that is not kept": [handler("browse", "  await ctx.session.set({ after: last, page: page + 1 });\n", "")],
};

/** The planted change after which a handler goes on where its recording had ended. */
export const BEYOND = "an answer in place of an error";

/** Changes that nobody could see: other names, another order of what does not depend on each other, code put elsewhere. */
export const REFACTORED: readonly TextChange[] = [
  handler("list", "const rows = await", "const found = await"),
  handler("list", "const tickets = rows", "const tickets = found"),
  handler("list", "  const now = ctx.now();\n", ""),
  handler("list", "  return { tickets:", "  const now = ctx.now();\n  return { tickets:"),
  handler(
    "read",
    '  const ticket = await ctx.state.get(["tickets", id]);\n  const comments = await ctx.state.get(["comments", id]);\n',
    '  const comments = await ctx.state.get(["comments", id]);\n  const ticket = await ctx.state.get(["tickets", id]);\n',
  ),
  handler(
    "give",
    '  const ticket = await ctx.state.get(["tickets", id]);\n  const response = await ctx.fetch(`https://rota.example/on-call?team=${encodeURIComponent(team)}`);\n',
    '  const [response, ticket] = await Promise.all([\n    ctx.fetch(`https://rota.example/on-call?team=${encodeURIComponent(team)}`),\n    ctx.state.get(["tickets", id]),\n  ]);\n',
  ),
  handler(
    "close",
    '  await ctx.state.set(["tickets", id], { ...ticket, status: "closed" });\n  await ctx.state.set(["solved"], solved + 1);\n',
    '  await ctx.state.set(["solved"], solved + 1);\n  await ctx.state.set(["tickets", id], { ...ticket, status: "closed" });\n',
  ),
  handler(
    "report",
    "const sum = open.reduce((total, age) => total + age, 0);",
    "let sum = 0;\n  for (const age of open) sum += age;",
  ),
  handler(
    "due",
    "const due = opened + (HOURS[priority] ?? 24) * 3_600_000;\n  return { due };",
    "const hours = HOURS[priority] ?? HOURS.normal;\n  return { due: opened + hours * 60 * 60 * 1000 };",
  ),
];
