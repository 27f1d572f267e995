import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { countEach } from '../../src/reporting/groupBy.ts'
import { type Load, whole } from './figures.ts'
import { only } from './options.ts'
import { openServer } from './setup/databases.ts'
import { PLUMBLINE } from './setup/supervise.ts'
import type { Workspace } from './setup/workspace.ts'

const CAPABILITIES = new URL('../../docs/reference.capabilities.json', import.meta.url)
const SERVE = fileURLToPath(new URL('./balancer/serve.ts', import.meta.url))
const PROCESSES = 2
/** Time in seconds for sending the budget's reports through PostgreSQL and a balancer on a busy machine. */
const BUDGET_WINDOW_S = 20
/** Minimum ratio between the fewest and the most requests of a process. */
const SPREAD_MIN = 0.8

/** The result of one run of the suite. */
interface Suite {
  readonly verdicts: readonly string[]
  /** Number of requests by process. */
  readonly requests: readonly number[]
}

/**
 * Runs the suite against one process of the service, and against several behind a balancer that distributes all requests, on
 * one PostgreSQL server, and compares the verdicts. Needs nginx.
 */
export const balancer: Load<{ readonly only: readonly string[] }> = {
  description: 'the suite against two processes behind nginx: the same verdicts as with one',
  options: [only],
  head: ['what', 'figure'],
  async run({ only }, { workspace, find, show }) {
    const url = (await openServer(workspace)).urlOf('postgres')
    const one = await runSuite(workspace, url, 1, only)
    const { verdicts, requests } = await runSuite(workspace, url, PROCESSES, only)
    find('a verdict of one process alone', ...one.verdicts.filter((line) => !verdicts.includes(line)))
    find('a verdict of several alone', ...verdicts.filter((line) => !one.verdicts.includes(line)))
    if (one.verdicts.join('\n') !== verdicts.join('\n')) find('the verdicts differ', 'compared by bytes')
    const [fewest, most] = [Math.min(...requests), Math.max(...requests)]
    if (requests.length !== PROCESSES || fewest < SPREAD_MIN * most)
      find('the requests are not spread', requests.join(', '))
    show(
      ['lines of verdicts', whole(one.verdicts.length)],
      ...requests.map((count, index) => [`requests of process ${index + 1}`, whole(count)]),
    )
    return most > 0
  },
}

/** Runs the suite against this number of processes behind a balancer. */
async function runSuite(
  { root, start }: Workspace,
  postgresUrl: string,
  processes: number,
  only: readonly string[],
): Promise<Suite> {
  const of = (name: string) => join(root, `${name}-${processes}`)
  const capabilities = JSON.parse(readFileSync(CAPABILITIES, 'utf8'))
  const declared = {
    ...capabilities,
    confirmBudget: { ...capabilities.confirmBudget, windowS: BUDGET_WINDOW_S },
    revokeKey: `node ${PLUMBLINE} keys revoke {keyId} --database "$(cat $PLUMBLINE_DIR/database-url)"`,
  }
  writeFileSync(of('capabilities'), JSON.stringify(declared))
  const serve = `BUDGET_WINDOW_MS=${BUDGET_WINDOW_S * 1_000} '${process.execPath}' --import tsx '${SERVE}' ${processes}`
  const variables = { POSTGRES_URL: postgresUrl, UPSTREAMS_LOG: of('upstreams') }
  const run = start(
    [
      ...[PLUMBLINE, 'conform', '--no-config', '--capabilities', of('capabilities'), '--start', serve],
      ...Object.keys(variables).flatMap((name) => ['--env', name]),
      ...['--instances', '1', '--out', of('out')],
      ...(only.length === 0 ? [] : ['--only', ...only]),
    ],
    variables,
  )
  const status = await run.ended
  const verdicts = join(of('out'), 'verdicts.json')
  if (status === null || !existsSync(verdicts)) throw new Error(`the suite did not end: ${run.output()}`)
  console.error(`${processes} behind the balancer: exit code ${status}`)
  return { verdicts: readFileSync(verdicts, 'utf8').split('\n'), requests: requestsIn(of('upstreams')) }
}

/** Returns the number of requests that each process served. */
function requestsIn(log: string): readonly number[] {
  const upstreams = readFileSync(log, 'utf8').split('\n')
  return [...countEach(upstreams.filter((upstream) => upstream.includes(':'))).values()]
}
