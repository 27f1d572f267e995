/** The part of autocannon that the load uses; the package has no types. */
declare module 'autocannon' {
  interface Result {
    /** Failed connections, and requests without a response in time. */
    readonly errors: number
    /** In ms. */
    readonly latency: { readonly p50: number; readonly p99: number; readonly max: number }
  }
  export interface AutocannonClient {
    /** Number of responses after which the connection ends. */
    responseMax: number
  }
  export default function autocannon(options: object): Promise<Result>
}
