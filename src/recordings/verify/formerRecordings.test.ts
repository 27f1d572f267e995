import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Catalogue, catalogueDigest, currentCatalogue } from '../format/catalogue.ts'
import { RecordingFormatError } from '../format/errors.ts'
import { parseRecording, renderRecording } from '../format/file.ts'
import { describePrograms } from '../record/environment.ts'
import { type Anything, all, forged, goldenText } from '../testing/forge.ts'
import { ContradictionError } from './errors.ts'
import { verifyRecording } from './verifyRecording.ts'

const FORMER = new URL('../testing/former/recording-1/', import.meta.url)
const textOf = (name: string) => readFileSync(new URL(name, FORMER), 'utf8')
/** Other versions have other contracts: these are executed by nobody. */
const OFFLINE = { execute: false } as const
const LATEST = { execute: false, suite: 'latest' } as const

/** Each former recording with its root, and whether the judges of today come to its verdicts. */
const RECORDINGS = {
  'keys.revoked-before-confirm.json': [
    '6673ca77d7f5090b3d765dccb7835fb2c1795921431ab3a93ff43f4f4a640af1',
    true,
  ],
  'window.still-pending-at-end.first.json': [
    'f755da1aed97bbea677485f3ac9b14319cd931852baab8d2929e5123f747455c',
    false,
  ],
  'window.still-pending-at-end.json': [
    '60ebd9f41166660d711120e4e64b9830332900129104aa1f948b4b4e3715e280',
    true,
  ],
} as const
const OLD = textOf('keys.revoked-before-confirm.json')

it('every former recording is listed', () => {
  expect(readdirSync(FORMER).sort()).toEqual(Object.keys(RECORDINGS))
})

describe.each(Object.entries(RECORDINGS))('%s', (name, [root, isJudgedSo]) => {
  const text = textOf(name)

  it('is read, keeps its root, and holds by the suite of today', async () => {
    const { recording, failures } = await verifyRecording(text, LATEST)
    expect(recording.trailer.root).toBe(root)
    expect(failures).toEqual([])
  })

  it(
    isJudgedSo ? 'holds as it was recorded' : 'is refused where its verdicts must be those of today',
    async () => {
      const verified = verifyRecording(text, OFFLINE)
      if (isJudgedSo) expect((await verified).changes).toBeNull()
      else await expect(verified).rejects.toThrow(/attribution\.build-id .*recorded pass/)
    },
  )

  it('is written as it was', () => {
    expect(renderRecording(parseRecording(text))).toBe(text)
  })

  it('is refused where a byte of any of its chapters was changed', async () => {
    for (const [from, to] of [
      ['"node":"v20', '"node":"v21'],
      ['"seed":1', '"seed":2'],
      ['"outcome":"pass"', '"outcome":"fail"'],
    ] as const) {
      expect(text).toContain(from)
      await expect(verifyRecording(text.replace(from, to), LATEST)).rejects.toThrow(ContradictionError)
    }
  })
})

it('each form has its own members, and no other', () => {
  const withMember = OLD.replace('"sums":"', '"catalogue":null,"sums":"')
  const [manifest] = withMember.split('\n').slice(2)
  expect(manifest).toContain('"catalogue"')
  const [head, tail] = [OLD.lastIndexOf('"kind":"provenance"'), '"kind":"provenance"'.length]
  const inProvenance = `${OLD.slice(0, head + tail)},"catalogue":null${OLD.slice(head + tail)}`
  for (const text of [
    withMember,
    inProvenance,
    OLD.replace('recording/1', 'recording/2'),
    OLD.replace('recording/1', 'recording/3'),
  ])
    expect(() => parseRecording(text)).toThrow(RecordingFormatError)
})

it('a former recording that is sealed again has the present form, and says nothing of its catalogue', async () => {
  const { recording } = await verifyRecording(
    forged(OLD, () => {}),
    OFFLINE,
  )
  const [provenance] = all(recording, 'provenance')
  expect(recording.schema).toBe('plumbline-recording/2')
  expect(provenance).toMatchObject({ catalogue: null, judgesSha256: null })
})

it('what changed since the first recordings is named', async () => {
  const { changes } = await verifyRecording(textOf('window.still-pending-at-end.first.json'), LATEST)
  expect(changes?.catalogue).toBeNull()
  expect(changes?.verdicts).toMatchObject([
    {
      requirement: 'fees.integrator.zero',
      recorded: ['pass'],
      now: ['observed'],
      requests: [0],
      why: 'unknown',
    },
    { requirement: 'hops.path', recorded: [], now: ['pass'], requests: [0] },
    { requirement: 'attribution.build-id', recorded: ['pass'], now: [], requests: [null] },
    { requirement: 'build.never-cached', recorded: ['pass'], now: [], requests: [null] },
  ])
})

describe('a recording that was judged by another catalogue', () => {
  const GOLDEN = goldenText('window.still-pending-at-end')
  const { judgesSha256 } = describePrograms()

  /** The recording as it would be if the catalogue had been another one, and had not had the pass of one requirement. */
  function judgedBy(change: (catalogue: Record<string, string>) => void, without?: string): string {
    return forged(GOLDEN, (recording) => {
      const catalogue: Record<string, string> = { ...currentCatalogue() }
      change(catalogue)
      const [provenance] = all(recording, 'provenance') as [Anything]
      delete recording.blobs[provenance.catalogue.slice('sha256:'.length)]
      const digest = catalogueDigest(catalogue as Catalogue)
      provenance.catalogue = `sha256:${digest}`
      provenance.judgesSha256 = judgesSha256
      recording.blobs[digest] = catalogue
      for (const entry of all(recording, 'verdicts') as Anything[])
        entry.verdicts = entry.verdicts.filter(({ requirement }: Anything) => requirement !== without)
    })
  }
  const ID = 'tx.chain-id'
  const otherWords = (level: string) => (catalogue: Record<string, string>) => {
    catalogue[ID] = `${level} 000000000000`
  }

  it('holds with nothing changed, under each suite', async () => {
    expect((await verifyRecording(GOLDEN, OFFLINE)).changes).toBeNull()
    const none = { catalogue: { added: 0, removed: 0, changed: 0 }, verdicts: [] }
    expect((await verifyRecording(GOLDEN, LATEST)).changes).toEqual(none)
    expect((await verifyRecording(GOLDEN, { ...LATEST, judgesSha256 })).changes).toEqual(none)
  })

  it.each<[string, string, [number, number, number], RegExp]>([
    ['added', judgedBy((of) => delete of[ID], ID), [1, 0, 0], /^the requirement was added: /],
    ['wording', judgedBy(otherWords('must'), ID), [0, 0, 1], /^the requirement was changed, and reads now: /],
    ['level', judgedBy(otherWords('may'), ID), [0, 0, 1], /was of level may, and is of level must/],
    ['judge', judgedBy(() => {}, ID), [0, 0, 0], /is the same: the judge of Plumbline \S+ decided otherwise/],
  ])('says that a verdict is another one: %s', async (why, text, [added, removed, changed], because) => {
    const { changes } = await verifyRecording(text, LATEST)
    expect(changes?.catalogue).toEqual({ added, removed, changed })
    expect(changes?.verdicts).toEqual([
      {
        requirement: ID,
        recorded: [],
        now: ['pass'],
        requests: [0],
        why,
        because: expect.stringMatching(because),
      },
    ])
  })

  it('says that a requirement was removed', async () => {
    const text = forged(
      judgedBy((of) => Object.assign(of, { 'fees.gone': 'must 0123456789ab' })),
      (recording) => {
        const [first] = all(recording, 'verdicts') as Anything[]
        first.verdicts.push({ requirement: 'fees.gone', outcome: 'pass' })
      },
    )
    const { changes } = await verifyRecording(text, LATEST)
    expect(changes?.catalogue).toEqual({ added: 0, removed: 1, changed: 0 })
    expect(changes?.verdicts).toMatchObject([
      { requirement: 'fees.gone', recorded: ['pass'], now: [], why: 'removed' },
    ])
  })

  it('needs no verdict on a requirement that was added since, and every other one', async () => {
    await expect(
      verifyRecording(
        judgedBy((of) => delete of[ID], ID),
        OFFLINE,
      ),
    ).resolves.toBeDefined()
    await expect(verifyRecording(judgedBy(otherWords('must'), ID), OFFLINE)).rejects.toThrow(
      ContradictionError,
    )
  })

  it('is refused where requirements and judges are those of today, and the verdicts are not', async () => {
    const text = judgedBy(() => {}, ID)
    await expect(verifyRecording(text, { ...LATEST, judgesSha256 })).rejects.toThrow(ContradictionError)
  })
})
