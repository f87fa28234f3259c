import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge, type Registry } from "prom-client";

const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;

/** Observes the usage of the process, under the names that Prometheus clients share. Returns "stop". */
export function observeProcess(registry: Registry, startedAt: number): () => void {
  // Each is registered by hand; the client would otherwise take its global registry.
  const registers: Registry[] = [];
  const delay = monitorEventLoopDelay();
  delay.enable();
  registry.registerMetric(
    new Counter({
      name: "process_cpu_seconds_total",
      help: "Seconds of processor time of this process; the sandbox's processes are apart.",
      registers,
      collect() {
        const { user, system } = process.cpuUsage();
        this.reset();
        this.inc((user + system) / MICROSECONDS);
      },
    }),
  );
  const started = new Gauge({
    name: "process_start_time_seconds",
    help: "When the service started.",
    aggregator: "min",
    registers,
  });
  started.set(startedAt / 1000);
  registry.registerMetric(started);
  registry.registerMetric(
    new Gauge({
      name: "process_resident_memory_bytes",
      help: "Memory that this process holds.",
      registers,
      collect() {
        this.set(process.memoryUsage.rss());
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: "nodejs_heap_size_used_bytes",
      help: "JavaScript heap in use.",
      registers,
      collect() {
        this.set(process.memoryUsage().heapUsed);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: "nodejs_eventloop_lag_p99_seconds",
      help: "How late timers ran since the last look, 99th percentile.",
      aggregator: "max",
      registers,
      collect() {
        this.set(delay.count === 0 ? 0 : delay.percentile(99) / NANOSECONDS);
        delay.reset();
      },
    }),
  );
  return () => void delay.disable();
}
