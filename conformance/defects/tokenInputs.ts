import { isAddress } from 'viem'
import { type Defect, defectTable } from '../../src/runner/proof/defect.ts'
import { completeRequest } from './helpers/tokens.ts'
import { changeRequest, type Fields } from './helpers/wire.ts'

const changeQuote = (change: (fields: Fields) => Fields) => changeRequest('quote', change)

/** Pads or cuts any text to an address. */
const forced = (value: unknown) => {
  if (value === undefined || value === 'native') return value
  const digits = String(value)
    .replace(/^0x/, '')
    .replace(/[^0-9a-f]/gi, '0')
  return `0x${digits.padStart(40, '0').slice(0, 40)}`
}

/** §4.1: mistakes with the address and the decimals of an unknown token, on either side of a quote. */
export const tokenInputDefects: readonly Defect[] = (['from', 'to'] as const).flatMap((side) => {
  const [address, decimals] = [`${side}Address`, `${side}Decimals`]
  const known = defectTable(
    (complete: Parameters<typeof completeRequest>[1]) => completeRequest('quote', complete),
    {
      [`quote.malformed-${side}-address-found`]: [
        `quote.${side}-address.format`,
        `a malformed ${address} is replaced by the address that the service knows of the symbol`,
        (fields, find) =>
          fields[address] === undefined || isAddress(String(fields[address]))
            ? {}
            : { [address]: find(fields[side])?.address ?? fields[address] },
      ],
      [`quote.negative-${side}-decimals-found`]: [
        `quote.${side}-decimals.range`,
        `a negative ${decimals} is replaced by the decimals that the service knows of the symbol`,
        (fields, find) =>
          Number(fields[decimals]) < 0
            ? { [decimals]: find(fields[side])?.decimals ?? fields[decimals] }
            : {},
      ],
    },
  )
  return [
    ...known,
    ...defectTable(changeQuote, {
      [`quote.unknown-${side}-as-usdg`]: [
        `quote.${side}-address.required`,
        `an unknown token without ${address} is priced as USDG`,
        (fields) =>
          fields[decimals] !== undefined && fields[address] === undefined && fields[side] !== 'ETH'
            ? { [side]: 'USDG', [decimals]: undefined }
            : {},
      ],
      [`quote.${side}-address-without-0x`]: [
        `quote.${side}-address.format`,
        `${address} is accepted without 0x`,
        ({ [address]: value }) => (/^[0-9a-f]{40}$/i.test(String(value)) ? { [address]: `0x${value}` } : {}),
      ],
      [`quote.${side}-address-forced`]: [
        `quote.${side}-address.format`,
        `any text in ${address} is padded or cut to 40 digits`,
        (fields) => ({ [address]: forced(fields[address]) }),
      ],
    }),
  ]
})
