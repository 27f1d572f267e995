/** The part of autocannon that the load uses; the package has no types of its own. */
declare module 'autocannon' {
  interface Result {
    /** In seconds. */
    readonly duration: number
    /** Connections that failed, and requests without an answer in time. */
    readonly errors: number
    /** In milliseconds. */
    readonly latency: { readonly p50: number; readonly p99: number; readonly max: number }
  }
  export default function autocannon(options: object): Promise<Result>
}
