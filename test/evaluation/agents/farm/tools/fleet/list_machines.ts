import type { Handler } from "cairn-gitops/host-api";

const MACHINES = [
  { name: "lin-01", pool: "linux", state: "busy" },
  { name: "mac-02", pool: "mac", state: "idle" },
  { name: "win-01", pool: "windows", state: "offline" },
];

const listMachines: Handler<{ pool?: string; state?: string; limit: number }> = ({ pool, state, limit }) => ({
  machines: MACHINES.filter(
    (one) => (pool === undefined || one.pool === pool) && (state === undefined || one.state === state),
  ).slice(0, limit),
});

export default listMachines;
