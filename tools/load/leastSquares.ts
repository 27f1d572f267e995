/** A point that a line is fitted to. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** A straight line through points, by least squares. */
export interface FittedLine {
  readonly slope: number
  /** Standard error of the slope. */
  readonly slopeError: number
  readonly meanX: number
  readonly meanY: number
}

/** @throws {RangeError} fewer than three points, or all at the same x. */
export function leastSquares(points: readonly Point[]): FittedLine {
  const count = points.length
  const meanX = average(points.map(({ x }) => x))
  const meanY = average(points.map(({ y }) => y))
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0)
  if (count < 3 || spread === 0) throw new RangeError(`no line through ${count} points`)
  const together = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0)
  const slope = together / spread
  const squares = points.reduce((sum, { x, y }) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0)
  return { slope, slopeError: Math.sqrt(squares / (count - 2) / spread), meanX, meanY }
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
