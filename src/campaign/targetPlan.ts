import { PlumblineError, UsageError } from '../spec/errors.ts'
import type { Need } from '../spec/requirements/index.ts'

/**
 * The service that a campaign runs instead of the reference, as the campaign keeps it. How it is reached is named on every
 * machine that works: the database holds no key, no address of a node, and nothing that a worker would execute.
 */
export interface TargetPlan {
  /** Whether each worker starts it, or it runs already. */
  readonly how: 'start' | 'url'
  /** The command or the base URL with which the campaign was started, for the lines that run a failure again. */
  readonly named: string
  readonly profile: Need
  /** The names of files and of variables, as they were given: `--sandbox sandbox.json`. For the same lines. */
  readonly files: readonly string[]
  /** SHA-256 of what every machine must declare alike: capabilities, names of keys, and sandbox but for the URL of its node. */
  readonly digest: string
}

/** A campaign of a service cannot be worked on, or verified, where that service is not named or is another one. */
export class OtherTargetError extends UsageError {
  override readonly name = 'OtherTargetError'
  readonly campaign: string
  constructor(campaign: string, problem: string) {
    super(
      `campaign ${campaign} ${problem}`,
      "Name the service of this machine with --start 'CMD' or --target URL, with the --sandbox, --keys and --capabilities that the campaign was started with.",
    )
    this.campaign = campaign
  }
}

/** The service of a campaign cannot be reached: that says nothing about its promises. */
export class TargetGoneError extends PlumblineError {
  override readonly name = 'TargetGoneError'
  constructor(problem: string) {
    super(problem, 'Start the service again, and a campaign of the seeds that are left.')
  }
}

/**
 * Returns why a machine cannot run a plan; null: it can.
 *
 * @param own the digest of the service that is named on this machine; null: none is.
 */
export function obstacleOfTarget(
  { target }: { readonly target?: TargetPlan },
  own: string | null,
): string | null {
  if (target === undefined) return null
  if (own === null) return `runs an outside service (${target.named}), and none is named here`
  if (own === target.digest) return null
  return 'runs a service of other capabilities, keys or sandbox than the one that is named here'
}

/** @throws {OtherTargetError} */
export function checkTarget(
  campaign: { readonly id: string; readonly plan: { readonly target?: TargetPlan } },
  own: string | null,
): void {
  const obstacle = obstacleOfTarget(campaign.plan, own)
  if (obstacle !== null) throw new OtherTargetError(campaign.id, obstacle)
}
