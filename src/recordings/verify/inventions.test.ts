import { afterAll, describe, expect, it } from 'vitest'
import { GasLimitError } from '../../evm/gasMeter.ts'
import { plumblineVersion } from '../../host/version.ts'
import { ChainInDoubtError, OtherWorldError } from '../execute/errors.ts'
import { RecordingFormatError } from '../format/errors.ts'
import { parseRecording } from '../format/file.ts'
import type { Recording } from '../format/schema.ts'
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

/** The finder of a contradiction by the number of stages that have passed, unless the judges find it. */
const STAGES = [
  'seal',
  'blocks',
  'contents',
  'contents',
  'replay',
  'replay',
] as const satisfies readonly Finder[]

/** All recordings here are of the reference. */
const replay = new EvmReplay(async () => ({}))
afterAll(() => replay.stop())

/** Returns the file of signatures of a genuine recording. */
function signaturesOf(text: string): string {
  const of = { name: 'run.json', text, recording: parseRecording(text), plumbline: plumblineVersion() }
  const signed = { ...of, verdict: 'conforms' as const, executed: true }
  return withSignature(null, signRecording(signed, keyOf('alice'), 'Alice', Date.UTC(2026, 10, 23)))
}

/** The first finder of a forgery, with its messages. */
interface Found {
  readonly by: Finder | 'nothing'
  readonly said: string
  /** The error of running it again, if nothing refuses it before; null: there is none. */
  readonly again: unknown
}

async function findsIt({ genuine, text, found }: Forgery): Promise<Found> {
  const demanded = Array.isArray(found) ? found[0] : null
  const root = demanded === 'root' ? parseRecording(genuine()).trailer.root : undefined
  let passed = 0
  let again: unknown = null
  const forgery = text()
  expect(forgery).not.toBe(genuine())
  const isOfVerdicts = (at: number) =>
    (parseRecording(forgery).entries[at]?.kind ?? 'verdicts') === 'verdicts'
  /** Keeps the error of running it again, so that later stages can find the forgery as well. */
  const proveAside = (recording: Recording) =>
    replay.prove(recording).catch((error: unknown) => {
      again = error
      return { kind: 'outside' } as const
    })
  try {
    const recording = parseRecording(forgery)
    if (demanded === 'signature') checkSignatures(signaturesOf(genuine()), { text: forgery, recording })
    const { failures } = await verifyParsed(recording, {
      root,
      replay: demanded === 'replay' ? replay.prove : proveAside,
      onPassed: () => {
        passed += 1
      },
    })
    if (failures.length === 0) return { by: 'nothing', said: '', again }
    // Only the executions find these.
    const unaided = (await verifyParsed(recording, { execute: false })).failures.join('\n')
    if (Array.isArray(found)) expect(unaided).not.toContain(found[1])
    return { by: 'amounts', said: failures.join('\n'), again }
  } catch (error) {
    const isJudged = error instanceof ContradictionError && passed === 3 && isOfVerdicts(error.entry)
    const by = isJudged ? 'judges' : finderOf(error, passed)
    if (by === null) throw error
    const differences = error instanceof ChainInDoubtError ? error.differences.map(({ field }) => field) : []
    return { by, said: [(error as Error).message, ...differences].join('\n'), again }
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
    'is found, or is on the list of points that are not proved: $part: $what',
    async (forgery) => {
      const { found } = forgery
      const { by, said, again } = await findsIt(forgery)
      if ('believed' in found) expect([by, said]).toEqual(['nothing', ''])
      else expect([by, said]).toEqual([found[0], expect.stringContaining(found[1])])
      if (by !== 'nothing' && by !== 'amounts') return
      // Running it again finds these, unless the result is identical.
      const isBelieved = 'believed' in found && found.always
      expect(again).toEqual(isBelieved ? null : expect.any(ContradictionError))
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

  it('has a forgery for each point that is not proved', () => {
    const points = FORGERIES.flatMap(({ found }) => ('believed' in found ? [found.believed] : []))
    expect(Object.keys(POINTS).filter((point) => !points.some((each) => each === point))).toEqual([])
  })
})
