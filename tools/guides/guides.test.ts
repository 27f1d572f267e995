import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { commandsIn, EXECUTORS, wordsOf } from './commandsIn.ts'
import { guides, ROOT } from './guides.ts'
import { outputDiffers } from './outputDiffers.ts'

const GUIDES = guides()
const SHOWN = [...GUIDES].flatMap(([guide, text]) => commandsIn(guide, text))
const CI = readFileSync(join(ROOT, '.ci/run'), 'utf8').split('\n')
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

async function plumbline(...argv: readonly string[]) {
  const lines: string[] = []
  const code = await main(argv, { out: (line) => lines.push(line), err: (line) => lines.push(line) })
  return { code, lines }
}

describe('the commands in the guides', () => {
  test('are each executed by something that there is', () => {
    expect(SHOWN.length).toBeGreaterThan(20)
    expect(SHOWN.filter(({ by }) => EXECUTORS[by] === undefined)).toEqual([])
  })

  test.each(SHOWN.filter(({ by }) => by === 'test'))(
    '$guide:$line: $command',
    async ({ command, output, exitCode }) => {
      const [npx, name, ...argv] = wordsOf(command)
      expect([npx, name]).toEqual(['npx', 'plumbline'])
      const { code, lines } = await plumbline(...argv)
      if (output !== null) expect(outputDiffers(output, lines)).toBeNull()
      expect(code).toBe(exitCode)
    },
  )

  test('that .ci/run executes are lines of it', () => {
    const commands = SHOWN.filter(({ by }) => by === 'ci')
    const parts = new Set(commands.flatMap(({ command }) => command.split(' && ')))
    const { test, installed, run } = EXECUTORS
    expect([...parts, test, installed, run].filter((line) => !CI.includes(line))).toEqual([])
  })
})

describe('the commands named in the text of the guides', () => {
  const spans = [...GUIDES].flatMap(([guide, text]) =>
    [...text.replaceAll(/^ *```.*?^ *```$/gms, '').matchAll(/`((?:npx )?plumbline|npm)( [^`]+)`/g)].map(
      ([, program = '', rest = '']) => ({ guide, program, words: wordsOf(rest.replaceAll('…', '')) }),
    ),
  )

  test.each(spans.filter(({ program }) => program === 'npm'))('$guide: npm $words', ({ words }) => {
    const [verb = '', script = verb] = words
    if (verb !== 'ci' && verb !== 'install' && verb !== 'pack') expect(Object.keys(scripts)).toContain(script)
  })

  const named = spans.filter(({ program, words }) => program !== 'npm' && words.length > 0)
  test.each(named)('$guide: plumbline $words', async ({ words: [name = '', ...words] }) => {
    const flagsAt = words.findIndex((word) => word.startsWith('--'))
    const { lines } = await plumbline(name, ...words.slice(0, Math.max(flagsAt, 0)), '--help')
    expect(lines.join('\n')).toContain(`Usage: plumbline ${name}`)
    for (const flag of words.filter((word) => word.startsWith('--'))) {
      expect(lines.join('\n')).toContain(flag)
    }
  })
})

describe('the code that the guides show and name', () => {
  const dense = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
  const blocks = [...GUIDES].flatMap(([guide, text]) =>
    [...text.matchAll(/^```ts\n\/\/ ((?:src|conformance|property)\/\S+)\n(.*?)^```$/gms)].map(
      ([, file = '', code = '']) => ({ guide, file, code }),
    ),
  )

  test.each(blocks)('$guide: $file contains the code', ({ file, code }) => {
    expect(dense(readFileSync(join(ROOT, file), 'utf8'))).toContain(dense(code))
  })

  const paths = [...GUIDES].flatMap(([guide, text]) =>
    [...text.matchAll(/`((?:src|conformance|property|scenarios|tools|bench)\/[\w./-]+)`/g)].map(
      ([, path = '']) => `${guide}: ${path}`,
    ),
  )

  test('exist', () => {
    const missing = paths.filter((named) => !existsSync(join(ROOT, named.split(': ')[1] ?? '')))
    expect(missing.filter((named) => !named.includes('FAMILY'))).toEqual([])
  })
})

describe('the links of the guides', () => {
  const links = [...GUIDES].flatMap(([guide, text]) =>
    [...text.matchAll(/\]\((?![a-z]+:)([^)#\s]*)#?([^)\s]*)\)/g)].map(([, path = '', anchor = '']) => ({
      guide,
      target: path === '' ? guide : join(dirname(guide), path),
      anchor,
    })),
  )

  test('lead to a file and a heading', () => {
    const isBroken = ({ target, anchor }: (typeof links)[number]) =>
      !existsSync(join(ROOT, target)) ||
      (anchor !== '' && !anchorsOf(readFileSync(join(ROOT, target), 'utf8')).includes(anchor))
    expect(links.length).toBeGreaterThan(50)
    expect(links.filter(isBroken)).toEqual([])
  })

  /** Returns the anchors that GitHub and npm give to the headings of a page. */
  function anchorsOf(page: string): readonly string[] {
    return [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    )
  }
})

describe('the length of the docs', () => {
  /** Pages written by `npm run guides`. */
  const GENERATED = new Set(['docs/conventions.md', 'docs/open-points.md'])
  const lengths = [...GUIDES]
    .filter(([guide]) => guide !== 'CONTRIBUTING.md')
    .map(([guide, text]) => ({ guide, words: countWords(text) }))

  function countWords(text: string): number {
    return text.split(/\s+/).filter((word) => /\w/.test(word)).length
  }

  test('is 35,000 words at most, the requirements and the changelog not counted', () => {
    expect(lengths.reduce((sum, { words }) => sum + words, 0)).toBeLessThanOrEqual(35_000)
  })

  test.each(['implementers', 'integrators', 'ci', 'recordings'])(
    'is 300 words at most for the first result of %s',
    (page) => {
      const [, section = ''] =
        (GUIDES.get(`docs/${page}.md`) ?? '').match(/^## First result\n(.*?)^## /ms) ?? []
      expect(countWords(section)).toBeGreaterThan(50)
      expect(countWords(section)).toBeLessThanOrEqual(300)
    },
  )

  test('is 2,500 words at most for a page, and 900 for the README', () => {
    const isLong = ({ guide, words }: { guide: string; words: number }) =>
      words > (guide === 'README.md' ? 900 : 2_500) && !GENERATED.has(guide)
    expect(lengths.filter(isLong)).toEqual([])
  })
})

describe('commandsIn', () => {
  const GUIDE = [
    '```sh by=test exit=1',
    "npx plumbline explain 'a b'   # a comment",
    'npx plumbline conform \\',
    '  --start ./it',
    '```',
    'It prints:',
    '```text',
    'took … ms',
    '…',
    'end',
    '```',
    '## Else',
    '```text',
    'no output of anything',
    '```',
  ].join('\n')

  test('finds each command, its exit code, and the output of the last', () => {
    const found = commandsIn('a.md', GUIDE)
    expect(found.map(({ command, by, exitCode, line }) => [command, by, exitCode, line])).toEqual([
      ["npx plumbline explain 'a b'", 'test', 1, 2],
      ['npx plumbline conform --start ./it', 'test', 1, 4],
    ])
    expect(found.map(({ output }) => output)).toEqual([null, ['took … ms', '…', 'end']])
    expect(wordsOf(found[0]?.command ?? '')).toEqual(['npx', 'plumbline', 'explain', 'a b'])
  })

  test.each([
    [['took 5 ms', 'end'], null],
    [['took 5 ms', 'this', 'that', 'end'], null],
    [['took 5 s', 'end'], 'expected: took … ms'],
    [['took 5 ms', 'this'], 'expected: end'],
    [['took 5 ms', 'end', 'more'], 'not expected: more'],
  ])('compares %j', (printed, expected) => {
    const difference = outputDiffers(['took … ms', '…', 'end'], printed)
    if (expected === null) expect(difference).toBeNull()
    else expect(difference).toContain(expected)
  })
})
