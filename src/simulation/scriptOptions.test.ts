import { describe, expect, it } from 'vitest'
import { generateScript } from './randomScript.ts'
import { crossMixes, drawMix, generateOptions, isMix } from './scriptOptions.ts'
import { split } from './seed.ts'

const MIXES = Array.from({ length: 100 }, (_, index) => drawMix(split(index, 'test.mix')))
const NOTHING = '0'.repeat(17)

/** The mix that holds of everything what the seed itself decides. */
function mixOf(seed: number): string {
  const { steps: _length, ...drawn } = generateOptions(seed, {})
  return Object.keys(drawn)
    .map((name, index) => {
      const fits = (digit: string) => {
        const mix = `${NOTHING.slice(0, index)}${digit}${NOTHING.slice(index + 1)}`
        const options: Readonly<Record<string, number>> = generateOptions(seed, { mix })
        return isMix(mix) && options[name] === drawn[name as keyof typeof drawn]
      }
      return ['0', '1', '2', '3'].find(fits)
    })
    .join('')
}

/** The kinds of steps between two reports, each combination once. */
function beforeReports(steps: readonly { readonly op: string }[]): ReadonlySet<string> {
  const met = new Set<string>()
  let since = new Set<string>()
  for (const { op } of steps) {
    if (op !== 'confirm' && op !== 'race') since.add(op)
    else {
      met.add([...since].sort().join())
      since = new Set()
    }
  }
  return met
}

describe('a mix', () => {
  it('decides how much of everything a script holds, under any seed; the seed decides its length', () => {
    const [mix = ''] = MIXES
    const { steps: one, ...options } = generateOptions(1, { mix })
    const { steps: other, ...same } = generateOptions(2, { mix })
    expect(same).toEqual(options)
    expect([one, other]).toEqual([1, 2].map((seed) => generateOptions(seed, {}).steps))
  })

  it('has one digit for each option, in the order in which a script names them', () => {
    const most = generateOptions(1, { mix: '33333333333333322' })
    expect(Object.entries(most).map(([name, value]) => `${name} ${value}`)).toEqual([
      expect.stringContaining('steps'),
      ...[
        'lineFault',
        'storeFault',
        'venueFault',
        'movePool',
        'reorg',
        'restart',
        'crash',
        'replace',
        'drop',
      ].map((name) => `${name} 1500`),
      ...['race', 'meanwhile', 'window', 'skew', 'keys'].map((name) => `${name} 1500`),
      ...['budget 300', 'dishonestBps 3000', 'tightBps 3000'],
    ])
    const { steps, ...nothing } = generateOptions(1, { mix: NOTHING })
    expect(new Set(Object.values(nothing))).toEqual(new Set([0]))
    const { steps: sameSteps, ...third } = generateOptions(1, { mix: `2${NOTHING.slice(1)}` })
    expect(third).toMatchObject({ lineFault: 500, storeFault: 0 })
    expect(sameSteps).toBe(steps)
  })

  it('leaves scripts without one as they are, and makes others of the same seed', () => {
    expect(generateScript(5, { mix: null })).toEqual(generateScript(5))
    expect(generateScript(5, { mix: NOTHING })).not.toEqual(generateScript(5))
    expect(generateScript(5, { mix: NOTHING }).steps.map(({ op }) => op)).not.toContain('reorg')
  })

  it('makes scripts whose reports follow on more different steps than those of a first draft', () => {
    const seeds = Array.from({ length: 30 }, (_, seed) => seed)
    const [drafts, scripts] = [
      seeds.map((seed) => generateScript(seed)),
      seeds.map((seed) => generateScript(seed, { mix: mixOf(seed) })),
    ]
    expect(scripts.map(({ options }) => options)).toEqual(drafts.map(({ options }) => options))
    const met = (of: typeof scripts) => of.reduce((sum, { steps }) => sum + beforeReports(steps).size, 0)
    expect(met(scripts)).toBeGreaterThan(met(drafts) * 1.1)
  })

  it('leaves out what needs in-process access where only the chain can be reached', () => {
    const options = generateOptions(1, { mix: `${'3'.repeat(15)}22`, onChain: true })
    expect(options).toMatchObject({ crash: 0, lineFault: 0, budget: 0, reorg: 1500, race: 1500 })
  })

  it('is drawn with much of some things and nothing of others', () => {
    expect(MIXES.every(isMix)).toBe(true)
    expect(new Set(MIXES).size).toBe(MIXES.length)
    expect(new Set(MIXES.flatMap((mix) => [...mix.slice(0, 14)]))).toEqual(new Set(['0', '3']))
  })

  it('is crossed from others, an option of each, but for what strays', () => {
    const stream = split(1, 'test.cross')
    const parents = ['0', '1', '2'].map((digit) => digit.repeat(17))
    let taken = 0
    const next = () => {
      taken += 1
      return parents[taken % 3] as string
    }
    expect(crossMixes(next, 0, stream)).toBe('12012012012012012')
    const stray = Array.from({ length: 60 }, () => crossMixes(() => NOTHING, 5000, stream))
    expect(stray.every(isMix)).toBe(true)
    expect(new Set(stray.map((mix) => mix[0]))).toEqual(new Set(['0', '1', '2', '3']))
  })

  it.each([
    '',
    '0',
    `${NOTHING}0`,
    NOTHING.replace(/.$/, '3'),
    NOTHING.replace(/^./, '4'),
    NOTHING.replace(/^./, 'x'),
  ])('is not: %s', (text) => expect(isMix(text)).toBe(false))
})
