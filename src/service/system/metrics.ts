import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Clock } from '../ports.ts'

/** Bucket bounds in seconds: from a read of the store to the whole time budget of a build (§8). */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30]
const MS_PER_S = 1_000

/** The facts of a response that are counted. */
export interface CountedResponse {
  readonly method: string
  /** The route's pattern, never the actual URL; null when no route matches. */
  readonly route: string | null
  readonly status: number
  readonly durationMs: number
}

/** Metrics of a running service for its operator, in the Prometheus format. No label names a key, a partner or an address. */
export interface Metrics {
  answered(response: CountedResponse): void
  /** Counts a request that was refused because there was no room. */
  refused(endpoint: string, reason: string): void
  /** Adds a gauge of the queue that calls `load` at each reading. */
  watchQueue(load: () => { readonly running: number; readonly waiting: number }): void
  /** Returns the same port with every call timed. */
  timed<Port extends object>(name: 'chain' | 'store', port: Port): Port
  /** Returns all metrics, as text with its content type. */
  read(): Promise<{ readonly contentType: string; readonly text: string }>
}

/** Creates metrics of one service and its process, all at zero. */
export function createMetrics(clock: Clock): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const responses = new Histogram({
    name: 'plumbline_http_response_seconds',
    help: 'Time from the arrival of a request to the end of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  })
  const refusals = new Counter({
    name: 'plumbline_refused_total',
    help: 'Requests that were refused because there was no room for them.',
    labelNames: ['endpoint', 'reason'],
    registers,
  })
  const calls = new Histogram({
    name: 'plumbline_dependency_seconds',
    help: 'Time of one round trip to the chain, or of one operation of the store.',
    labelNames: ['dependency', 'call', 'outcome'],
    buckets: SECONDS,
    registers,
  })

  const callOf =
    (dependency: string, call: string, run: (...values: unknown[]) => unknown) =>
    async (...values: unknown[]) => {
      const startedMs = clock.monotonicMs()
      const end = (outcome: 'ok' | 'failed') =>
        calls.observe({ dependency, call, outcome }, (clock.monotonicMs() - startedMs) / MS_PER_S)
      try {
        const result = await run(...values)
        end('ok')
        return result
      } catch (error) {
        end('failed')
        throw error
      }
    }

  return {
    answered({ method, route, status, durationMs }) {
      // Clients may make up methods and paths, so all unmatched requests share one series.
      const labels = route === null ? { method: 'other', route: 'none' } : { method, route }
      responses.observe({ ...labels, status }, durationMs / MS_PER_S)
    },
    refused: (endpoint, reason) => refusals.inc({ endpoint, reason }),
    watchQueue(load) {
      new Gauge({
        name: 'plumbline_queue',
        help: 'Quotes, builds and reports that are worked on, and those that wait for that.',
        labelNames: ['state'],
        registers,
        collect() {
          for (const [state, count] of Object.entries(load())) this.set({ state }, count)
        },
      })
    },
    timed: (name, port) =>
      new Proxy(port, {
        get(target, property) {
          const value: unknown = Reflect.get(target, property)
          return typeof value === 'function' ? callOf(name, String(property), value.bind(target)) : value
        },
      }),
    read: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}
