import { expect, test } from 'vitest'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { VARIABLES } from '../service/config.ts'
import { plumbline } from './testing/plumbline.ts'

async function helpOf(...words: readonly string[]): Promise<string> {
  const { code, text } = await plumbline(...words, '--help')
  expect(code).toBe(EXIT.conforms)
  return text
}

/** Returns the commands that a help text lists. */
function commandsIn(help: string): readonly string[] {
  const [, list = ''] = help.split(/^Commands:$/m)
  return [...list.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help')
}

/** Commands whose output is always machine-readable: a manifest, a shell script. */
const MACHINE_READABLE = new Set(['sandbox', 'completion'])

/** Commands that print only their result, so that --quiet has nothing to leave out. */
const ANSWERS_ALONE = new Set(['list', 'explain', 'keys', 'campaign', 'serve', ...MACHINE_READABLE])

test('every command shows examples, and can speak to programs', async () => {
  const groups = ['keys', 'campaign', 'baseline']
  const names = commandsIn(await helpOf()).flatMap((name) => (groups.includes(name) ? [] : [[name]]))
  const inGroups: string[][] = []
  for (const group of groups) for (const name of commandsIn(await helpOf(group))) inGroups.push([group, name])
  expect(names.length).toBeGreaterThan(10)
  expect(inGroups.length).toBe(15)
  for (const words of [...names, ...inGroups]) {
    const help = await helpOf(...words)
    expect(help, words.join(' ')).toMatch(/^Examples?:$/m)
    if (!MACHINE_READABLE.has(words[0] ?? '')) expect(help, words.join(' ')).toContain('--json')
    if (!ANSWERS_ALONE.has(words[0] ?? '')) expect(help, words.join(' ')).toContain('--quiet')
  }
})

test('run and conform show the same options in the same groups, except for what run always runs or may draw', async () => {
  const own = /^ {2}--(?:draw|scenarios|with-)/
  const linesOf = async (name: string) =>
    (await helpOf(name)).split('\n').flatMap((line) => {
      const [shown] = /^ {2}--[a-z-]+|^(?!Arguments|Profiles|Examples)[A-Z].*:$/.exec(line) ?? []
      return shown === undefined || own.test(shown) ? [] : [shown]
    })
  const lines = await linesOf('run')
  expect(lines).toEqual(await linesOf('conform'))
  const groups = [
    'Target:',
    'Choose cases:',
    'Gate:',
    'Output:',
    'Debugging:',
    'Working on Plumbline itself:',
  ]
  expect(lines.filter((line) => line.endsWith(':')).slice(0, -1)).toEqual(groups)
})

test('the sentences of a help text fit 80 columns; examples stay whole, to be copied', async () => {
  const names = ['', ...commandsIn(await helpOf())]
  for (const name of names) {
    const lines = (await helpOf(...(name === '' ? [] : [name]))).split('\n')
    expect(lines.filter((line) => line.length > 80 && !/^ +plumbline /.test(line))).toEqual([])
  }
})

test('the help of serve names every variable of the service, in the order of its guide', async () => {
  const [, named = ''] =
    /Variables \(docs\/service\.md\): (.*), PLUMBLINE_SANDBOX,/m.exec(
      (await helpOf('serve')).replaceAll('\n', ' '),
    ) ?? []
  expect(named.split(', ')).toEqual(VARIABLES)
})
