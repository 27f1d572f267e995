import { afterAll, describe, expect, it } from 'vitest'
import { GasLimitError } from '../../evm/gasMeter.ts'
import { plumblineVersion } from '../../host/version.ts'
import { ChainInDoubtError, OtherWorldError } from '../execute/errors.ts'
import { RecordingFormatError } from '../format/errors.ts'
import { parseRecording } from '../format/file.ts'
import { EvmReplay } from '../replay/evmReplay.ts'
import { checkSignatures } from '../sign/checkSignatures.ts'
import { SignatureError } from '../sign/errors.ts'
import { withSignature } from '../sign/signatureFile.ts'
import { signRecording } from '../sign/signRecording.ts'
import { keyOf } from '../sign/testing/signers.ts'
import type { Finder, Forgery } from '../testing/forgeries/forgery.ts'
import { FORGERIES } from '../testing/forgeries/index.ts'
import { POINTS } from '../testing/forgeries/points.ts'
import { ContradictionError, NotDemandedError } from './errors.ts'
import { verifyParsed } from './verifyRecording.ts'

/** What finds a contradiction after so many stages have passed, unless the judges do. */
const STAGES = [
  'seal',
  'blocks',
  'contents',
  'contents',
  'replay',
  'replay',
] as const satisfies readonly Finder[]

/** None of these recordings is of a known-broken service. */
const replay = new EvmReplay(async () => ({}))
afterAll(() => replay.stop())

/** Returns the file of signatures of a genuine recording. */
function signaturesOf(text: string): string {
  const of = { name: 'run.json', text, recording: parseRecording(text), plumbline: plumblineVersion() }
  const signed = { ...of, verdict: 'conforms' as const, executed: true }
  return withSignature(null, signRecording(signed, keyOf('alice'), 'Alice', Date.UTC(2026, 10, 23)))
}

/** Returns what finds a forgery first, and all that is said then; `nothing` when it is believed. */
async function findsIt(
  { genuine, text, found }: Forgery,
  replay: EvmReplay | null,
): Promise<readonly [Finder | 'nothing', string]> {
  const demanded = Array.isArray(found) ? found[0] : null
  const root = demanded === 'root' ? parseRecording(genuine()).trailer.root : undefined
  let passed = 0
  const forgery = text()
  expect(forgery).not.toBe(genuine())
  const isOfVerdicts = (at: number) =>
    (parseRecording(forgery).entries[at]?.kind ?? 'verdicts') === 'verdicts'
  try {
    const recording = parseRecording(forgery)
    if (demanded === 'signature') checkSignatures(signaturesOf(genuine()), { text: forgery, recording })
    const { failures } = await verifyParsed(recording, {
      root,
      replay: replay?.prove,
      onPassed: () => {
        passed += 1
      },
    })
    if (failures.length === 0) return ['nothing', '']
    // It is the executions that find these.
    const unaided = (await verifyParsed(recording, { execute: false })).failures.join('\n')
    if (Array.isArray(found)) expect(unaided).not.toContain(found[1])
    return ['amounts', failures.join('\n')]
  } catch (error) {
    const isJudged = error instanceof ContradictionError && passed === 3 && isOfVerdicts(error.entry)
    const by = isJudged ? 'judges' : finderOf(error, passed)
    if (by === null) throw error
    const differences = error instanceof ChainInDoubtError ? error.differences.map(({ field }) => field) : []
    return [by, [(error as Error).message, ...differences].join('\n')]
  }
}

function finderOf(error: unknown, passed: number): Finder | null {
  if (error instanceof RecordingFormatError) return 'form'
  if (error instanceof ContradictionError) return STAGES[passed] ?? null
  if (error instanceof NotDemandedError) return 'root'
  if (error instanceof SignatureError) return 'signature'
  if (error instanceof OtherWorldError) return 'other-contracts'
  if (error instanceof GasLimitError) return 'limit'
  return error instanceof ChainInDoubtError ? 'second-evm' : null
}

describe('a forged recording', () => {
  it.each(FORGERIES)(
    'is found, or stands on the list of what is not proved: $part: $what',
    async (forgery) => {
      const { found } = forgery
      const isReplayed = !('believed' in found) && found[0] === 'replay'
      const [by, said] = await findsIt(forgery, isReplayed ? replay : null)
      if ('believed' in found) expect([by, said]).toEqual(['nothing', ''])
      else expect([by, said]).toEqual([found[0], expect.stringContaining(found[1])])
    },
  )

  it.each(FORGERIES.filter(({ found }) => 'believed' in found || found[0] === 'amounts'))(
    'is found by running it again, unless that comes to the same: $part: $what',
    async (forgery) => {
      const { found } = forgery
      const [by] = await findsIt(forgery, replay)
      expect(by).toBe('believed' in found && found.always ? 'nothing' : 'replay')
    },
  )
})

describe('the list of forgeries', () => {
  it('has each kind once, and more than sixty', () => {
    const names = FORGERIES.map(({ part, what }) => `${part}: ${what}`)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThan(60)
  })

  it('has few that are believed even when they are run again', () => {
    const believed = FORGERIES.filter(({ found }) => 'believed' in found && found.always)
    expect(believed.length).toBeLessThanOrEqual(8)
  })

  it('has a forgery for each point of what is not proved', () => {
    const points = FORGERIES.flatMap(({ found }) => ('believed' in found ? [found.believed] : []))
    expect(Object.keys(POINTS).filter((point) => !points.some((each) => each === point))).toEqual([])
  })
})
