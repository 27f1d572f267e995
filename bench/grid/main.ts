/** Runs clients against conforming and broken services, and shows the losses of user and partner. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ClientEnvironment,
  FEE,
  type GoalOf,
  goalOf,
  NATIVE,
  TOKENS,
} from '../../conformance/client/support.ts'
import { movePrice } from '../../conformance/support/venues.ts'
import { printBlocks } from '../../src/cli/terminal/printBlocks.ts'
import type { ClientPlan } from '../../src/client/clientRun.ts'
import { inProcessProgram } from '../../src/client/inProcessProgram.ts'
import type { Program } from '../../src/client/program.ts'
import { runInOrder } from '../../src/runner/pool/workers.ts'
import { withParts } from '../../src/targets/environment/environment.ts'
import { realTime } from '../../src/targets/realTime.ts'
import { outsideProgram } from '../../src/targets/starting/outsideClient.ts'
import { SHIFT_ONE } from '../../src/venues-mock/shift.ts'
import { outcomeOf } from './losses.ts'
import { type Cell, type Grid, gridBlocks, gridPage, losersOf } from './page.ts'
import { type GridService, gridServices } from './services.ts'

const OUT = 'reports/grid'
/** Number of services run concurrently; clients mostly wait. */
const AT_ONCE = 4
const TIMEOUT_S = 30

const client = (name: string): Program => outsideProgram(name, { logFolder: null })
const CLIENTS: Readonly<Record<string, Program>> = {
  'the reference client': inProcessProgram(),
  'docs/clients/node': client('node docs/clients/node/swap.mjs'),
  'docs/clients/python': client('PYTHONDONTWRITEBYTECODE=1 python3 docs/clients/python/swap.py'),
}

interface Situation {
  readonly name: string
  goal(service: GridService): GoalOf
  faults?(environment: ClientEnvironment, service: GridService): ClientPlan['faults']
}

/** Moves the price by a tenth against the user as the swap is sent. */
const falling: Situation['faults'] = (environment, { venues }) => {
  const swap = { from: NATIVE.from, to: NATIVE.to, amount: Number(NATIVE.amount) }
  const move = { venue: venues.eth, direction: 'against', shift: SHIFT_ONE / 10n } as const
  return (chain) => ({
    node: [{ on: 'swap', times: 1, beforehand: () => chain.drive(() => movePrice(environment, swap, move)) }],
  })
}

const SITUATIONS: readonly Situation[] = [
  {
    name: 'a token is sold',
    goal: ({ venues }) => ({
      ...TOKENS,
      ...FEE,
      preferEngine: venues.token,
      minimumReceived: '240',
      timeoutS: TIMEOUT_S,
    }),
  },
  {
    name: 'ETH is sold, and the price falls as the swap is sent',
    goal: ({ venues }) => ({
      ...NATIVE,
      ...FEE,
      preferEngine: venues.eth,
      minimumReceived: '725',
      timeoutS: TIMEOUT_S,
    }),
    faults: falling,
  },
]

async function cellsOf(service: GridService): Promise<readonly Cell[]> {
  const [first] = Object.values(CLIENTS)
  const session = await service.open(first as Program)
  try {
    const [lane] = session.lanes
    const cells: Cell[] = []
    for (const [name, program] of Object.entries(CLIENTS)) {
      const outcomes: Cell['outcomes'][number][] = []
      for (const situation of SITUATIONS) {
        const entered = await lane?.enter()
        if (entered === undefined) throw new RangeError(`${service.name} has no lane`)
        const environment = withParts(entered, ['program', 'control'])
        const goal = goalOf(environment, situation.goal(service))
        const faults = situation.faults?.(environment, service)
        const plan: ClientPlan = {
          ...{ name: 'grid', goal, apiKey: environment.secret('one'), account: 'alice' },
          ...(faults === undefined ? {} : { faults }),
        }
        const outcome = await outcomeOf(environment, goal, () => environment.program.run(plan, program))
        outcomes.push({ ...outcome, situation: situation.name })
      }
      cells.push({ service: service.name, client: name, outcomes })
    }
    return cells
  } finally {
    await session.end()
  }
}

const services = gridServices(OUT)
const startedMs = realTime.nowMs()
const cells = (await runInOrder([{ atOnce: AT_ONCE, run: cellsOf }], services)).flat()
const grid: Grid = { clients: Object.keys(CLIENTS), services, cells }
printBlocks(gridBlocks(grid), console.log)
mkdirSync(OUT, { recursive: true })
writeFileSync(join(OUT, 'grid.json'), `${JSON.stringify(grid, null, 2)}\n`)
writeFileSync(join(OUT, 'grid.html'), gridPage(grid))
console.log(`${Math.round((realTime.nowMs() - startedMs) / 1_000)} s; open ${OUT}/grid.html`)
// With conforming services, conforming clients must not cost anyone anything.
const harmed = cells.filter(
  (cell) => /^(?:the reference|docs)/.test(cell.service) && losersOf(cell).length > 0,
)
for (const { service, client: name } of harmed) console.error(`${name} at ${service}: somebody lost`)
process.exitCode = harmed.length > 0 ? 1 : 0
