/** Returns a finite number as decimal digits, without an exponent. */
export function plainNumber(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e')
  if (exponent === undefined) return mantissa
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const point = whole.length + Number(exponent)
  const digits = `${whole}${fraction}`.padEnd(point, '0')
  const sign = value < 0 ? '-' : ''
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return point < digits.length
    ? `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
    : `${sign}${digits}`
}

/** Returns whether a text is a number as clients write it: decimal digits, optionally with an exponent. */
export const isNumberText = (text: string): boolean => /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)
