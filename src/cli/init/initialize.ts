import { makeTemporaryFolder } from '../../host/temporary.ts'
import { NOT_SERVED } from '../../reporting/unserved.ts'
import { openRun } from '../../runner/run/execute.ts'
import { UsageError } from '../../spec/errors.ts'
import { withoutCredentials } from '../../spec/secrets/url.ts'
import { reachLine } from '../../targets/chain/reachLine.ts'
import { type Explored, exploreTarget } from '../../targets/exploreTarget.ts'
import type { Configuration } from '../run/configurationSchema.ts'
import { outsideTarget, targetOptionsOf } from '../run/namedTarget.ts'
import { CONFIGURATION_FILE, type RunOptions } from '../run/options.ts'
import { colours } from '../terminal/colours.ts'
import { invocation } from '../terminal/invocation.ts'
import type { Output } from '../terminal/output.ts'
import { type Declared, describeDeclared, readDeclared } from './declared.ts'
import { checkNew, writeConfiguration } from './writeConfiguration.ts'

export interface InitOptions
  extends Pick<
    RunOptions,
    'start' | 'target' | 'sandbox' | 'keys' | 'capabilities' | 'env' | 'timeout' | 'json' | 'quiet'
  > {
  readonly force?: boolean
}

/**
 * Explores a service, and writes a configuration for it into the current folder.
 *
 * @throws {UsageError} no service is named, it refuses the key, or a file exists already. Also what starting a target throws.
 */
export async function initialize(options: InitOptions, output: Output): Promise<void> {
  const force = options.force ?? false
  checkNew(force)
  const target = await outsideTarget(options)
  const declared = readDeclared(options.capabilities)
  const explored = await explore(target, declared, options)
  checkUsable(explored)
  const isDriven =
    'start' in target || (target.sandbox !== undefined && (await reachLine(target.sandbox.rpcUrl)) !== null)
  const profile = isDriven && explored.venues.length > 0 ? 'sandbox' : 'http'
  const configuration: Configuration = {
    ...('start' in target ? { start: target.start } : {}),
    ...('url' in target ? { target: withoutCredentials(target.url).href } : {}),
    profile,
    ...(options.sandbox === undefined ? {} : { sandbox: options.sandbox }),
    ...(options.keys === undefined ? {} : { keys: options.keys }),
    ...(options.env === undefined ? {} : { env: [...options.env] }),
    ...onlyServed(explored),
  }
  const files = writeConfiguration(configuration, declared?.path ?? [...explored.capabilities], force)
  if (options.json) output.out(JSON.stringify({ explored, configuration, files }))
  else if (!options.quiet) {
    const about = [
      ...describe(explored, declared),
      ...describeProfile(profile, isDriven, target),
      ...describeChoice(configuration),
    ]
    for (const line of about) output.out(line)
    for (const file of files) output.out(`wrote ${file}`)
    output.out(`next: ${colours.bold(`${invocation()} conform`)}`)
  }
}

type Named = Awaited<ReturnType<typeof outsideTarget>>

async function explore(target: Named, declared: Declared | null, options: InitOptions): Promise<Explored> {
  const { path: directory, remove } = makeTemporaryFolder('init')
  const capabilities = declared === null ? {} : { capabilities: declared.path }
  const flags = { ...options, ...capabilities, profile: 'http', out: directory } as const
  try {
    const session = await openRun({
      ...{ command: 'init', suites: [], target, options: targetOptionsOf(flags), seed: 1 },
      timeoutS: options.timeout,
      replay: () => `${invocation()} init`,
    })
    try {
      const [lane] = session.lanes
      if (lane === undefined) throw new RangeError('a session has one lane at least')
      return await exploreTarget(await lane.enter())
    } finally {
      await session.end()
    }
  } finally {
    remove()
  }
}

/** @throws {UsageError} the service cannot be used with this URL and key. */
function checkUsable({ quote: { status } }: Explored): void {
  if (status === 401 || status === 403) {
    throw new UsageError(
      `the service refuses the key \`one\` with ${status}`,
      'Give the keys that it knows with --keys FILE; a service that is started finds them in PLUMBLINE_KEYS.',
    )
  }
  if (status === null || status === 404) {
    throw new UsageError(
      `GET /api/v1/quote ${status === null ? 'got no answer that could be read' : 'is 404'}`,
      'Check the base URL; the interface is below it.',
    )
  }
}

function describe(explored: Explored, declared: Declared | null): readonly string[] {
  const { quote, venues, build, permit2, confirm, capabilities, openapiPaths } = explored
  const statusOf = (status: number | null) => (status === null ? 'no answer' : String(status))
  return [
    `GET /api/v1/quote: ${statusOf(quote.status)}; without a key ${statusOf(quote.withoutKey)}`,
    `  venues with a route: ${venues.join(', ') || 'none'}`,
    `POST /api/v1/swap/build: ${venues.length === 0 ? 'not tried, as no venue has a route' : statusOf(build)}`,
    ...(permit2.length === 0 ? [] : [`  asks for Permit2: ${permit2.join(', ')}`]),
    `POST /api/v1/swap/confirm: ${statusOf(confirm)} for a body that is not JSON`,
    `/openapi.json: ${openapiPaths === null ? 'none' : `${openapiPaths} paths`}`,
    `capabilities seen: ${capabilities.join(', ') || 'none'}`,
    ...(declared === null
      ? ['  not asked for: key-revocation and confirm-budget (docs/implementers.md, Capabilities)']
      : describeDeclared(declared, explored)),
  ]
}

/** Returns the patterns of the cases for a service that does not serve every endpoint yet. */
function onlyServed({ build, confirm }: Explored): Pick<Configuration, 'only'> {
  const isMissing = (status: number | null) => status !== null && NOT_SERVED.has(status)
  if (isMissing(build)) return { only: ['quote.*'] }
  return isMissing(confirm) ? { only: ['quote.*', 'build.*'] } : {}
}

function describeChoice({ only }: Configuration): readonly string[] {
  if (only === undefined) return []
  return [
    `only ${only.join(' and ')}: the other endpoints are not served; remove \`only\` from ${CONFIGURATION_FILE} once they are`,
  ]
}

function describeProfile(profile: string, isDriven: boolean, target: Named): readonly string[] {
  if (profile === 'sandbox') return ['profile sandbox: it trades on a chain that the suite controls']
  const why = isDriven
    ? 'no venue of the sandbox has a route; take sandbox once the service trades there (PLUMBLINE_SANDBOX)'
    : target.sandbox === undefined
      ? 'its chain is not known; for sandbox give --sandbox FILE, or --start'
      : 'its sandbox mines on its own; start it with --driven'
  return [`profile http: ${why}`]
}
