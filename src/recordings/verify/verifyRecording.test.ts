import { describe, expect, it } from 'vitest'
import { split } from '../../simulation/seed.ts'
import { RecordingFormatError } from '../format/errors.ts'
import { parseRecording, renderRecording } from '../format/file.ts'
import type { Entry } from '../format/schema.ts'
import { type Anything, all, forged, goldenText } from '../testing/forge.ts'
import { ContradictionError } from './errors.ts'
import { verifyRecording } from './verifyRecording.ts'

/** A scenario with faults of the store, and one in which a reorganisation moves a swap to another block. */
const STORE_DOWN = goldenText('failures.store-down')
const REORG = goldenText('reorg.moves-to-later-block')

async function refusal(text: string): Promise<ContradictionError | RecordingFormatError> {
  const error: unknown = await verifyRecording(text).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof ContradictionError || error instanceof RecordingFormatError) return error
  throw error ?? new Error('the recording was accepted')
}

describe('a recording as it was made', () => {
  it('passes, with counts of what was checked', async () => {
    const { counts, failures, outcome } = await verifyRecording(REORG)
    expect(counts).toMatchObject({ exchanges: 5, reports: 4 })
    expect(counts.verdicts).toBeGreaterThan(50)
    expect(failures).toEqual([])
    expect(outcome.ended).toBe('as-expected')
  })

  it('keeps the orphaned branch', () => {
    const numbers = all(parseRecording(REORG), 'block').map(({ number }) => number)
    expect(new Set(numbers).size).toBeLessThan(numbers.length)
  })
})

describe('a byte that was changed', () => {
  const draws = split(1, 'recording.bytes')
  const lines = STORE_DOWN.split('\n')

  it.each(lines.flatMap((line, index) => (line.length > 3 ? [[index] as const] : [])))(
    'in line %i is refused, at any position',
    async (index) => {
      const line = lines[index] as string
      for (const at of Array.from({ length: 4 }, () => draws.int(0, line.length - 1))) {
        // A digit, so that the text often stays valid JSON that fits the schema.
        const instead = line[at] === '1' ? '2' : '1'
        const changed = lines.with(index, `${line.slice(0, at)}${instead}${line.slice(at + 1)}`)
        await refusal(changed.join('\n'))
      }
    },
  )

  it.each<[Entry['kind'], string, (entry: Anything) => void]>([
    ['manifest', 'hardfork', (entry) => (entry.hardfork = 'prague')],
    ['genesis', 'base.stateRoot', (entry) => (entry.base.stateRoot = `0x${'1'.repeat(64)}`)],
    ['script', 'seed', (entry) => (entry.seed += 1)],
    ['script', 'steps', (entry) => (entry.steps[0].as = 'swop')],
    ['step', 'head.number', (entry) => (entry.head.number += 1)],
    ['http', 'answer.status', (entry) => (entry.answer.status = 201)],
    ['http', 'answer.body', (entry) => (entry.answer.body = entry.answer.body.replace('0', '1'))],
    ['http', 'body', (entry) => (entry.body = entry.body.replace('0', '1'))],
    ['rpc', 'replies', (entry) => (entry.replies[0] = null)],
    ['store-fault', 'method', (entry) => (entry.method = 'ping')],
    ['block', 'header.stateRoot', (entry) => (entry.header.stateRoot = `0x${'1'.repeat(64)}`)],
    ['block', 'blockHash', (entry) => (entry.blockHash = `0x${'1'.repeat(64)}`)],
    ['report', 'lost', (entry) => (entry.lost = !entry.lost)],
    ['outcome', 'unmetFaults', (entry) => (entry.unmetFaults = 1)],
    ['verdicts', 'verdicts', (entry) => entry.verdicts.pop()],
    ['provenance', 'node', (entry) => (entry.node = 'v0.0.0')],
  ])('of an entry of kind %s is found in its field %s', async (kind, field, change) => {
    const recording: Anything = parseRecording(STORE_DOWN)
    const at = recording.entries.findIndex((entry: Entry) => entry.kind === kind)
    change(recording.entries[at])
    expect(await refusal(renderRecording(recording))).toMatchObject({ entry: at, field })
  })
})

describe('a recording that is cut off', () => {
  const lines = REORG.split('\n')
  const upTo = (count: number) => lines.slice(0, count).join('\n')
  const end = lines.indexOf('],')

  it.each([
    [
      'within an entry',
      upTo(9).slice(0, -20),
      /within its entries: entries 0 to 5 are whole, .* seal holds so far/,
    ],
    ['after an entry', upTo(9), /entries 0 to 6 are whole, up to .* seal holds so far/],
    ['within the first', upTo(3).slice(0, -20), /cut off before its first entry/],
    [
      'within the blobs',
      upTo(end + 4),
      /after its entries: .* up to one of kind provenance, and their seal holds/,
    ],
    [
      'and altered',
      upTo(9).replace('Bearer', 'Bearing'),
      /seal is broken at entry \d, headers\.authorization/,
    ],
  ])('reports how much is intact: %s', async (_where, text, message) => {
    const error = await refusal(text)
    expect(error.name).toBe('RecordingFormatError')
    expect(error.message).toMatch(message)
  })

  it('is not called cut off when something is wrong in its middle', async () => {
    expect((await refusal(REORG.replace('"kind":"script",', '"kind":"script"'))).name).toBe(
      'RecordingFormatError',
    )
  })
})

describe('a forger who seals again', () => {
  const verdictsOf = (r: Anything) => all(r, 'verdicts')[0] as Anything
  it.each<[string, RegExp, (recording: Anything) => void]>([
    [
      'invented',
      /^entry \d+, verdicts\.0: tx\.invented of request 0 \(entry 3, POST \/api\/v1\/swap\/build\): recorded pass, and the judges of today say nothing/,
      (r) => verdictsOf(r).verdicts.unshift({ requirement: 'tx.invented', outcome: 'pass' }),
    ],
    [
      'missing',
      /, verdicts: tx\.data\.minimum of request 0 \(entry 3, .*\): not recorded, judged now pass$/,
      (r) => {
        const entry = verdictsOf(r)
        entry.verdicts = entry.verdicts.filter(
          ({ requirement }: Anything) => requirement !== 'tx.data.minimum',
        )
      },
    ],
    [
      'judged otherwise now',
      /, verdicts\.\d+: build\.never-cached of request 0 .*: recorded pass, judged now fail \(expected .*no-store.*, actual .*max-age=60.*\)$/,
      (r) => ((all(r, 'http')[0] as Anything).answer.headers['cache-control'] = 'public, max-age=60'),
    ],
  ])('and a verdict that is %s is named, with the entry that it is about', async (_what, message, change) => {
    const error = await refusal(forged(REORG, change))
    expect(error.message).toMatch(message)
    expect(error.advice).toMatch(/of this version, .*whose judges say otherwise: it was altered/)
  })

  it('may differ in a verdict from judges of another version, perhaps because they are stricter', async () => {
    const error = await refusal(
      forged(REORG, (r) => {
        verdictsOf(r).verdicts.unshift({ requirement: 'tx.invented', outcome: 'pass' })
        ;(all(r, 'provenance')[0] as Anything).plumbline = '0.0.9'
      }),
    )
    expect(error.advice).toMatch(/of Plumbline 0\.0\.9, and this is .*or the judges became stricter/)
  })

  it('is believed where an earlier version also recorded a verdict on a restatement, and only there', async () => {
    const says = (outcome: string) =>
      forged(REORG, (r) => verdictsOf(r).verdicts.push({ requirement: 'limits.chain', outcome }))
    await expect(verifyRecording(says('pass'))).resolves.toBeDefined()
    expect((await refusal(says('fail'))).message).toMatch(
      /: tx\.chain-id of request 0 .*recorded fail, judged now pass/,
    )
  })

  it('changes nothing, and is believed: so each forgery above is refused for what it changes', async () => {
    expect(forged(REORG, () => {})).toBe(REORG)
  })
})
