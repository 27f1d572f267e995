import { type Defect, defect } from './defect.ts'
import { knowing } from './making/ports.ts'

/** The chain under a manifest whose feed of ETH is another token's. */
const feedOf = (symbol: string) =>
  knowing((manifest) => {
    const feed = manifest.registry.find((token) => token.symbol === symbol)?.feed ?? null
    return {
      ...manifest,
      registry: manifest.registry.map((token) => (token.symbol === 'ETH' ? { ...token, feed } : token)),
    }
  })

export const gasCostDefects: readonly Defect[] = [
  defect(
    'alternatives.gas-at-the-price-of-bitcoin',
    'alternatives.gas-cost.output-units',
    'gas is turned into the output at the price of WBTC',
    feedOf('WBTC'),
  ),
]
