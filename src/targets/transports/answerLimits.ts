/**
 * How large an answer may be for a judge to read it, wherever the specification demands JSON: far more than any answer of
 * the interface is. What is beyond it is no answer that a client could use, and breaks `service.json-bodies`.
 */
export const ANSWER = {
  bytes: 1024 * 1024,
  /** Objects and arrays within each other; the interface has five, and some readers of JSON stop at 64. */
  levels: 128,
} as const
