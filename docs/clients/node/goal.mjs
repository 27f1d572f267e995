import { readFileSync } from 'node:fs'

const DECIMAL = /^(?:0|[1-9]\d*)(?:\.\d+)?$/
/** A double holds any decimal number of so many digits. */
const DIGITS_OF_A_DOUBLE = 15

/** Reads what is to be swapped. Amounts stay decimal text: a float would change them (0.1 + 0.2). */
export function readGoal(path) {
  const goal = JSON.parse(readFileSync(path, 'utf8'))
  for (const text of [goal.amount, goal.minimumReceived ?? '0'])
    if (!DECIMAL.test(text)) throw new Error(`${path}: "${text}" is no decimal number such as 250.5`)
  return { ...goal, mostRaw: mostRaw(goal.amount, goal.from.decimals) }
}

/** The most base units of the input that the swap and its fee may cost. */
function mostRaw(amount, decimals) {
  const [whole, fraction = ''] = amount.split('.')
  // Surplus digits are cut off: rounding up would spend more than the goal says.
  const raw = BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals))
  // A service may read the amount as a double; a longer one may then be larger, in the 16th digit.
  const digits = `${whole}${fraction}`.replace(/^0+/, '').length
  return digits > DIGITS_OF_A_DOUBLE ? raw + raw / 10n ** BigInt(DIGITS_OF_A_DOUBLE) : raw
}

/**
 * The fields of quote and build, without the amount. They are the same for both (§4.2). What the goal leaves open is left out, so
 * that the service's default applies.
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
