/** The part of autocannon that the load uses; the package has no types of its own. */
declare module 'autocannon' {
  interface Result {
    /** Connections that failed, and requests without an answer in time. */
    readonly errors: number
    /** In milliseconds. */
    readonly latency: { readonly p50: number; readonly p99: number; readonly max: number }
  }
  /** One connection. */
  export interface AutocannonClient {
    /** It ends instead of sending more requests than these. */
    responseMax: number
  }
  export default function autocannon(options: object): Promise<Result>
}
