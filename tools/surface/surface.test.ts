import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { exportsOf } from './exports.ts'
import { fieldsOf } from './formats.ts'
import { programOf } from './program.ts'
import { breaches, mayBreak, promises } from './surface.ts'

const problems = (before: Record<string, string>, after: Record<string, string>) =>
  breaches(before, after).map(({ key, problem }) => `${key}: ${problem}`)

describe('exports', () => {
  const listed = (source: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-surface-'))
    try {
      const file = join(folder, 'module.ts')
      writeFileSync(file, source)
      return exportsOf({ module: file }, (each) => each === file)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
  const before = listed(`
    export interface Options { readonly port: number; readonly log: string }
    export interface Result { readonly url: string }
    export function start(options: Options): Result { return { url: String(options.port) } }
    export function stop(): void {}
    export type Level = 'must' | 'may' | 'silent'`)

  test('what is removed, of another type, or demanded of callers now, breaks', () => {
    const after = listed(`
      export interface Options { readonly port: string; readonly log: string; readonly host: string }
      export interface Result { readonly url: string }
      export function start(options: Options, quiet: boolean): Result { return { url: options.port } }
      export type Level = 'must' | 'silent'`)
    expect(new Set(problems(before, after))).toEqual(
      new Set([
        'export module stop: removed',
        'type Options.port: changed from in: number to in: string',
        'type Level = "may": removed',
        'type Options.host: added, and required',
        'export module start.1: added, and required',
      ]),
    )
  })

  test('additions break nothing', () => {
    const after = listed(`
      export interface Options { readonly port: number; readonly log: string; readonly host?: string }
      export interface Result { readonly url: string; readonly port: number }
      /** A comment. */
      export function start(options: Options, quiet = false): Result { return { url: String(quiet), port: options.port } }
      export function stop(): void {}
      export const more = 1
      export type Level = 'must' | 'may' | 'silent' | 'convention'`)
    expect(problems(before, after)).toEqual([])
  })
})

describe('formats', () => {
  const file = z.object({ name: z.string(), level: z.enum(['must', 'may']), link: z.string().optional() })

  test.each(['input', 'output'] as const)('a renamed field breaks: %s', (io) => {
    const renamed = file.omit({ link: true }).extend({ url: z.string().optional() })
    expect(problems(fieldsOf('file', file, io), fieldsOf('file', renamed, io))).toEqual([
      'format file.link: removed',
    ])
  })

  test('a field that others must write now breaks, and one that Plumbline adds does not', () => {
    const grown = file.extend({ reason: z.string() })
    expect(problems(fieldsOf('file', file, 'input'), fieldsOf('file', grown, 'input'))).toEqual([
      'format file.reason: added, and required',
    ])
    expect(problems(fieldsOf('file', file, 'output'), fieldsOf('file', grown, 'output'))).toEqual([])
  })

  test('an optional field that becomes required breaks who writes it, and the reverse who reads it', () => {
    const required = file.extend({ link: z.string() })
    expect(problems(fieldsOf('file', file, 'input'), fieldsOf('file', required, 'input'))).toHaveLength(1)
    expect(problems(fieldsOf('file', required, 'input'), fieldsOf('file', file, 'input'))).toEqual([])
    expect(problems(fieldsOf('file', file, 'output'), fieldsOf('file', required, 'output'))).toEqual([])
    expect(problems(fieldsOf('file', required, 'output'), fieldsOf('file', file, 'output'))).toHaveLength(1)
  })

  test('a value less breaks', () => {
    const less = file.extend({ level: z.enum(['must']) })
    expect(problems(fieldsOf('file', file, 'input'), fieldsOf('file', less, 'input'))).toEqual([
      'format file.level = may: removed',
    ])
  })
})

describe('commands', () => {
  test('a removed flag, a removed command and a changed argument break', () => {
    const before = programOf([
      new Command('run').argument('[dir]').option('--seed <n>').option('--quiet'),
      new Command('keys').addCommand(new Command('list')),
    ])
    const after = programOf([new Command('run').argument('<dir>').option('--seed <n>'), new Command('keys')])
    expect(problems(before, after)).toEqual([
      'command run: changed from [dir] to <dir>',
      'flag run --quiet: removed',
      'command keys list: removed',
    ])
  })
})

describe('the last release', () => {
  const { surface } = JSON.parse(readFileSync(new URL('released.json', import.meta.url), 'utf8'))

  test.each([
    ['exit code inconclusive', '4', 'exit code inconclusive: changed from 3 to 4'],
    ['requirement confirm.depth.twelve', undefined, 'requirement confirm.depth.twelve: removed'],
    ['case confirm.depth', undefined, 'case confirm.depth: removed'],
    ['export oracles judgeQuote', undefined, 'export oracles judgeQuote: removed'],
    ['format results.suites[].cases[].status', undefined, 'format results.suites[].cases[].status: removed'],
  ])('promises %s', (key, value, expected) => {
    const { [key]: _, ...others } = surface
    expect(problems(surface, value === undefined ? others : { ...others, [key]: value })).toEqual([expected])
  })

  test.each([
    ['1.0.0', '1.0.1', false],
    ['1.9.0', '1.10.0', false],
    ['1.9.0', '2.0.0', true],
  ])('%s, then %s: may break is %s', (released, now, expected) => {
    expect(mayBreak(released, now)).toBe(expected)
  })

  test('a version below 1.0.0 promises nothing, nor does a pre-release', () => {
    expect(['0.9.0', '1.0.0-rc.1', '1.0.0', '2.1.3'].filter(promises)).toEqual(['1.0.0', '2.1.3'])
  })
})
