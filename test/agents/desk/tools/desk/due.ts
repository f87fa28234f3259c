const HOURS = { low: 72, normal: 24, urgent: 4 };

export default ({ opened, priority }) => {
  const due = opened + (HOURS[priority] ?? 24) * 3_600_000;
  return { due };
};
