import { z } from 'zod'
import { UsageError } from '../spec/errors.ts'
import { LIMITS } from '../spec/limits.ts'
import type { ServicePolicy } from './deps.ts'
import { DEFAULT_LIMITS, type ServiceLimits } from './limits.ts'
import { DEFAULT_POLICY } from './policy.ts'
import { LOG_LEVELS, type LogLevel } from './system/log.ts'

/** An environment variable has a value that the service cannot use. */
export class ConfigError extends UsageError {
  override readonly name = 'ConfigError'
  readonly variable: string
  constructor(variable: string, problem: string) {
    super(`the variable ${variable} ${problem}`, `Correct ${variable}, or unset it for its default.`)
    this.variable = variable
  }
}

/** The configuration of a running service, apart from the manifest of its chain. */
export interface ServiceConfig {
  readonly host: string
  /** 0 means any free port. */
  readonly port: number
  readonly databaseUrl: string
  /** Overrides the manifest's `rpcUrl`. */
  readonly rpcUrl: string | null
  readonly logLevel: LogLevel
  readonly docsPage: boolean
  /** True if /metrics is served. */
  readonly metrics: boolean
  readonly policy: ServicePolicy
  readonly limits: ServiceLimits
}

const whole = (most: number, least = 0) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be between ${least} and ${most}`)

const DAY_MS = 86_400_000
/** Days that an unreported build is kept after its window; 0 means forever. */
const BUILD_RETENTION_DAYS = 90

const environment = z.object({
  HOST: z.string().min(1, 'must not be empty').default('127.0.0.1'),
  PORT: whole(65_535).default(4663),
  DATABASE_URL: z
    .string()
    .regex(/^(?::memory:|file:.+|postgres(?:ql)?:\/\/.+)$/, 'must be :memory:, file:PATH or postgres://…')
    .default(':memory:'),
  RPC_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  DOCS_PAGE: z.enum(['on', 'off'], 'must be on or off').default('on'),
  METRICS: z.enum(['on', 'off'], 'must be on or off').default('on'),
  BUDGET_REQUESTS: whole(1_000_000, 1).default(DEFAULT_POLICY.budget.requests),
  BUDGET_WINDOW_MS: whole(DAY_MS, 1_000).default(DEFAULT_POLICY.budget.windowMs),
  BLOCK_TIME_MS: whole(DAY_MS, 1).default(DEFAULT_POLICY.blockTimeMs),
  BUILD_RETENTION_DAYS: whole(36_500).default(BUILD_RETENTION_DAYS),
  RUNNING_MAX: whole(10_000, 1).default(DEFAULT_LIMITS.runningMax),
  WAITING_MAX: whole(1_000_000).default(DEFAULT_LIMITS.waitingMax),
  WAIT_MS: whole(LIMITS.quoteBudgetMs).default(DEFAULT_LIMITS.waitMs),
  KEY_BUDGET_REQUESTS: whole(1_000_000_000, 1).default(DEFAULT_LIMITS.keyBudget.requests),
  KEY_BUDGET_WINDOW_MS: whole(DAY_MS, 1_000).default(DEFAULT_LIMITS.keyBudget.windowMs),
  CONNECTIONS_MAX: whole(1_000_000, 1).default(DEFAULT_LIMITS.connectionsMax),
  REQUEST_TIMEOUT_MS: whole(600_000, 100).default(DEFAULT_LIMITS.requestTimeoutMs),
  SHUTDOWN_TIMEOUT_MS: whole(600_000).default(DEFAULT_LIMITS.shutdownTimeoutMs),
})

/** Names of all variables, in the order of the documentation. */
export const VARIABLES: readonly string[] = Object.keys(environment.shape)

/**
 * Reads the configuration from environment variables and ignores all others. A variable that is set to
 * an empty string counts as unset.
 *
 * @throws {ConfigError} names the first variable that cannot be used.
 */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): ServiceConfig {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(set)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    // The message omits the value: a database URL may contain a password.
    throw new ConfigError(String(issue?.path[0] ?? 'environment'), issue?.message ?? 'cannot be used')
  }
  const { data } = parsed
  return {
    host: data.HOST,
    port: data.PORT,
    databaseUrl: data.DATABASE_URL,
    rpcUrl: data.RPC_URL ?? null,
    logLevel: data.LOG_LEVEL,
    docsPage: data.DOCS_PAGE === 'on',
    metrics: data.METRICS === 'on',
    policy: {
      ...DEFAULT_POLICY,
      blockTimeMs: data.BLOCK_TIME_MS,
      ...(data.BUILD_RETENTION_DAYS === 0 ? {} : { buildRetentionMs: data.BUILD_RETENTION_DAYS * DAY_MS }),
      budget: { requests: data.BUDGET_REQUESTS, windowMs: data.BUDGET_WINDOW_MS },
    },
    limits: {
      runningMax: data.RUNNING_MAX,
      waitingMax: data.WAITING_MAX,
      waitMs: data.WAIT_MS,
      keyBudget: { requests: data.KEY_BUDGET_REQUESTS, windowMs: data.KEY_BUDGET_WINDOW_MS },
      connectionsMax: data.CONNECTIONS_MAX,
      requestTimeoutMs: data.REQUEST_TIMEOUT_MS,
      shutdownTimeoutMs: data.SHUTDOWN_TIMEOUT_MS,
    },
  }
}
