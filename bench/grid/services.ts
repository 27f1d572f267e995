import { DEFECTS } from '../../conformance/defects/index.ts'
import { readCapabilitiesFile } from '../../src/cli/run/targetFiles.ts'
import type { Program } from '../../src/client/program.ts'
import type { ServiceSeams } from '../../src/service/testing.ts'
import type { VenueId } from '../../src/spec/venues.ts'
import { openTarget } from '../../src/targets/open.ts'
import { realTime } from '../../src/targets/realTime.ts'
import type { TargetSession } from '../../src/targets/session.ts'

/** A service that clients are run against. */
export interface GridService {
  readonly name: string
  readonly title: string
  /** The venues at which a token is sold, and ETH. */
  readonly venues: { readonly token: VenueId; readonly eth: VenueId }
  open(program: Program): Promise<TargetSession>
}

/** A token at a venue with a fee transfer, ETH at one whose fee is inside the transaction. */
const VENUES: GridService['venues'] = { token: 'venue_c', eth: 'venue_a' }

/** Broken services that affect a client, with the venues at which the defect shows. */
const BROKEN: Readonly<Record<string, Partial<GridService['venues']>>> = {
  'tx.chain-of-mainnet-for-native': {},
  'tx.approval-not-named': {},
  'tx.approval-for-the-fee-wallet': { token: 'venue_a' },
  'tx.pays-the-fee-wallet': {},
  'tx.no-minimum.venue_a': {},
  'fee-transfer.value-of-the-whole': { eth: 'venue_c' },
  'fee-transfer.not-carved-out': {},
  'fee-transfer.missing-for-stable-swap': { token: 'venue_d' },
  'fee-transfer.skimmed-for-somebody': {},
  'confirm.erc20-never-done': {},
}

const SEED = 1
const HOUR_MS = 3_600_000
const run = () => ({ seed: SEED, lanes: 1, seams: {}, endsAtMs: realTime.nowMs() + HOUR_MS })

/** Returns the services: the reference, the one in Python, and the broken ones. @param directory receives their logs */
export function gridServices(directory: string): readonly GridService[] {
  const ofReference = (
    name: string,
    title: string,
    { seams, venues }: Pick<GridService, 'venues'> & { readonly seams: ServiceSeams },
  ): GridService => ({
    ...{ name, title, venues },
    open: (program) => openTarget('reference', {}, { ...run(), seams, program }),
  })
  return [
    ofReference('the reference', 'conforms', { seams: {}, venues: VENUES }),
    {
      ...{ name: 'docs/python', title: 'conforms; credits no swap whose fee is transferred', venues: VENUES },
      open: (program) =>
        openTarget(
          { start: 'PYTHONDONTWRITEBYTECODE=1 python3 docs/python/serve.py' },
          { capabilities: readCapabilitiesFile('docs/python/capabilities.json'), directory },
          { ...run(), program },
        ),
    },
    ...Object.entries(BROKEN).map(([id, venues]) => {
      const defect = DEFECTS.find((each) => each.id === id)
      if (defect === undefined) throw new RangeError(`there is no broken service ${id}`)
      return ofReference(id, defect.title, { seams: defect.seams, venues: { ...VENUES, ...venues } })
    }),
  ]
}
