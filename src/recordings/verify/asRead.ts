import { membersOf, parseJson } from '../../spec/json.ts'
import { isNumberText } from '../../spec/plainNumber.ts'

type Fields = Readonly<Record<string, unknown>>

const isNumber = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && isNumberText(value))

/**
 * Returns the parameters of a quote or a build as the service read them. What `null`, a list or an empty text means for a number is not
 * shown: a service that serves it says with its response how it was read, and is held to that.
 *
 * @param body the response; it has no such members where the request was refused.
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
