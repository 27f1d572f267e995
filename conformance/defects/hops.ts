import { type Defect, defect } from './defect.ts'
import { type Json, routing } from './making/wire.ts'

const hops = (change: (hop: Json, index: number, all: Json[]) => void) =>
  routing((route) => {
    route.hops.forEach(change)
  })

/** §2.2: mistakes in the hops of a route. */
export const hopDefects: readonly Defect[] = [
  defect(
    'hops.none-for-direct-routes',
    'hops.present',
    'a route of one pool has no hops',
    routing((route) => {
      if (route.hops.length === 1) route.hops = []
    }),
  ),
  defect(
    'hops.all-from-the-input',
    'hops.from',
    'every hop says that it starts from the token sold',
    hops((hop, _index, all) => {
      hop.from = all[0].from
    }),
  ),
  defect(
    'hops.last-missing',
    'hops.to',
    'the last of several hops is left out',
    routing((route) => {
      if (route.hops.length > 1) route.hops.pop()
    }),
  ),
  defect(
    'hops.address-between',
    'hops.to',
    'a token in the middle of a route is named by its address',
    hops((hop, index, all) => {
      const next = all[index + 1]
      if (next) hop.to = next.from = `0x${'ab'.repeat(20)}`
    }),
  ),
  defect(
    'hops.dex-is-label',
    'hops.dex',
    'dex carries the label of the venue',
    hops((hop) => {
      hop.dex = hop.dexName
    }),
  ),
  defect(
    'hops.dex-name-empty',
    'hops.dex-name',
    'dexName is empty for venues without a brand',
    hops((hop) => {
      if (hop.dex !== 'venue_a') hop.dexName = ''
    }),
  ),
  defect(
    'hops.share-in-percent',
    'hops.share',
    'share is given in percent',
    hops((hop) => {
      hop.share *= 100
    }),
  ),
]
