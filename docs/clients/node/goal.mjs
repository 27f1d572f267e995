import { readFileSync } from 'node:fs'

const DECIMAL = /^(?:0|[1-9]\d*)(?:\.\d+)?$/
/** Every decimal number of up to this many digits survives in a double. */
const DIGITS_OF_A_DOUBLE = 15

/** Reads the goal of the swap. Amounts stay decimal text: a float would change them (0.1 + 0.2). */
export function readGoal(path) {
  const goal = JSON.parse(readFileSync(path, 'utf8'))
  for (const text of [goal.amount, goal.minimumReceived ?? '0'])
    if (!DECIMAL.test(text)) throw new Error(`${path}: "${text}" is no decimal number such as 250.5`)
  return { ...goal, mostRaw: mostRaw(goal.amount, goal.from.decimals) }
}

/** Returns the limit for swap and fee together, in base units of the input. */
function mostRaw(amount, decimals) {
  const [whole, fraction = ''] = amount.split('.')
  // Surplus digits are cut off: rounding up would exceed the goal's amount.
  const raw = BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals))
  // A service that reads a longer amount as a double may get a larger one, in the 16th digit.
  const digits = `${whole}${fraction}`.replace(/^0+/, '').length
  return digits > DIGITS_OF_A_DOUBLE ? raw + raw / 10n ** BigInt(DIGITS_OF_A_DOUBLE) : raw
}

/**
 * Returns the fields of quote and build without the amount, the same for both (§4.2). Fields that the goal does not set are left
 * out, so that the service's defaults apply.
 */
export function fieldsOf(goal, sender) {
  const { from, to, slippageBps, partnerFeeBps, partnerFeeRecipient, preferEngine } = goal
  const fields = {
    from: from.symbol,
    to: to.symbol,
    sender,
    // §4.1: a token outside the registry needs its address and decimals.
    ...(from.inRegistry ? {} : { fromAddress: from.address, fromDecimals: from.decimals }),
    ...(to.inRegistry ? {} : { toAddress: to.address, toDecimals: to.decimals }),
    slippageBps,
    partnerFeeBps,
    partnerFeeRecipient,
    preferEngine,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
