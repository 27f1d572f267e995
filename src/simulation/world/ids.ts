import type { Ids } from '../../service/testing.ts'
import { split } from '../seed.ts'

/** Returns identifiers derived from the seed: well-formed version 4 UUIDs, the same in every run of that seed. */
export function seededIds(seed: number | string): Ids {
  const uuids = split(seed, 'ids.uuid')
  const secrets = split(seed, 'ids.secret')
  return {
    uuid: () => {
      const hex = uuids.hex(16)
      const variant = '89ab'[uuids.int(0, 3)]
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
    },
    secret: () => secrets.hex(32),
  }
}
