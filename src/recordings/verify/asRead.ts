import { membersOf, parseJson } from '../../spec/json.ts'
import { isNumberText } from '../../spec/plainNumber.ts'

type Fields = Readonly<Record<string, unknown>>

const isNumber = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && isNumberText(value))

/**
 * Returns the parameters of a quote or a build as the service read them. The specification leaves open how `null`, a list or an
 * empty text is read as a number: a service that serves such a request shows it in its response, and is judged by that.
 *
 * @param body the response, which lacks these members if the request was refused.
 */
export function asRead(parameters: Fields, body: string): Fields {
  const envelope = membersOf(parseJson(body))
  const shown: Fields = {
    slippageBps: membersOf(envelope.route).slippageBps,
    partnerFeeBps: envelope.partnerFeeBps,
    fromPriceUsd: undefined,
    toPriceUsd: undefined,
  }
  const open = Object.entries(shown).filter(([name]) => name in parameters && !isNumber(parameters[name]))
  return { ...parameters, ...Object.fromEntries(open) }
}
