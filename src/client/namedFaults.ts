import type { BuildResponse, FeeTransfer } from '../spec/wire.ts'
import type { ServiceFault } from './serviceLine.ts'

/** A service fault, or an unusual response that a client must handle. */
export interface NamedFault {
  readonly title: string
  readonly faults: readonly ServiceFault[]
}

const NOT_RECORDED = { recorded: false, alreadyRecorded: false }
const BUILD_FAILED = { status: 502, body: { error: 'build failed' } }
const UNAVAILABLE = { status: 503, body: { error: 'unavailable' } }

/** Returns a fault that replaces the response to each request of an endpoint, or to the first `times`. */
const answering = (
  title: string,
  on: ServiceFault['on'],
  reply: NonNullable<ServiceFault['reply']>,
  times = Number.POSITIVE_INFINITY,
): NamedFault => ({ title, faults: [{ on, reply, times }] })

const losing = (on: 'quote' | 'build', after = 0): NamedFault => ({
  title: `the response to ${after === 0 ? 'the first' : 'the second'} ${on} is lost`,
  faults: [{ on, after, times: 1, cut: 'response' }],
})

const changing = (title: string, change: (build: BuildResponse) => object): NamedFault => ({
  title,
  faults: [{ on: 'build', change }],
})

const otherChain = (chainId: number): NamedFault =>
  changing(`builds are for chain ${chainId}`, (build) => ({ ...build, tx: { ...build.tx, chainId } }))

/** Returns a fault that changes the value of a build; `change` gets that value and the fee transfer's amount. */
const valued = (title: string, change: (valueRaw: bigint, feeRaw: bigint) => bigint): NamedFault =>
  changing(title, (build) => {
    const value = change(BigInt(build.tx.value), BigInt(build.feeTransfer?.amountRaw ?? 0))
    return { ...build, tx: { ...build.tx, value: value.toString() } }
  })

const charging = (title: string, change: (fee: FeeTransfer) => Partial<FeeTransfer>): NamedFault =>
  changing(title, (build) =>
    build.feeTransfer === null
      ? build
      : { ...build, feeTransfer: { ...build.feeTransfer, ...change(build.feeTransfer) } },
  )

/** Statuses of confirm that no repetition changes (§7). */
export const REJECTIONS = [400, 401, 404, 409, 422] as const

/** Faults that refuse each report, one for each of these statuses. */
const REJECTING = Object.fromEntries(
  REJECTIONS.map((status) => [
    `confirm-${status}`,
    answering(
      `each report is refused with ${status}: it is not repeated for ever, nor called done`,
      'confirm',
      { status, body: { error: 'refused' } },
    ),
  ]),
) as Readonly<Record<`confirm-${(typeof REJECTIONS)[number]}`, NamedFault>>

/** Service faults that cases for clients inject, by the names that `plumbline serve --fault` accepts. */
export const NAMED_FAULTS = {
  'other-chain': otherChain(1),
  'other-chain-by-one': otherChain(4_664),
  'value-doubled': valued('builds send twice the value', (valueRaw) => 2n * valueRaw),
  'value-added': valued('builds send an ETH more than they need', (valueRaw) => valueRaw + 10n ** 18n),
  'value-with-fee': valued(
    'the value of a build is all that is sold, and the fee comes on top',
    (valueRaw, feeRaw) => valueRaw + feeRaw,
  ),
  'fee-tenfold': charging('the fee transfer is ten times the fee', ({ amountRaw }) => ({
    amountRaw: `${amountRaw}0`,
  })),
  'fee-in-eth': charging('the fee transfer is in ETH, whatever is sold', () => ({ token: 'native' })),
  'unknown-fields': {
    title: 'responses have fields that the specification does not name',
    faults: (['quote', 'build', 'confirm'] as const).map((on) => ({
      on,
      change: (body: object) => ({ ...body, notice: { text: 'new', level: 1 } }),
    })),
  },
  'quote-lost': losing('quote'),
  'build-lost': losing('build', 1),
  'confirm-lost': {
    title: 'the response that says that a swap is recorded is lost',
    faults: [{ on: 'confirm', status: 200, times: 1, cut: 'response' }],
  },
  'build-502': answering('502 on a build, four times without `Retry-After`', 'build', BUILD_FAILED, 4),
  'build-502-always': answering('502 on every build: the client ends in time', 'build', BUILD_FAILED),
  'confirm-503': answering('503 on a report, four times without `Retry-After`', 'confirm', UNAVAILABLE, 4),
  'confirm-503-pause': answering(
    '503 on a report with `Retry-After`',
    'confirm',
    { ...UNAVAILABLE, headers: { 'retry-after': '2' } },
    2,
  ),
  'confirm-429': answering(
    '429 on a report with `Retry-After`',
    'confirm',
    { status: 429, body: { error: 'budget exceeded' }, headers: { 'retry-after': '2' } },
    2,
  ),
  'confirm-202': answering(
    'a swap that is 202 eight times is reported on',
    'confirm',
    { status: 202, body: NOT_RECORDED, headers: { 'retry-after': '1' } },
    8,
  ),
  ...REJECTING,
} satisfies Readonly<Record<string, NamedFault>>
