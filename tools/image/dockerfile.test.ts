import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CONTEXT, commandOf, readContext, readStages, type Stage } from './dockerfile.ts'

const STAGES = readStages()
const IMAGE = STAGES.at(-1) as Stage

// What its steps do, `npm run check:image` tries.
describe('the Dockerfile', () => {
  test('copies only what exists, from the checkout or from a stage before', () => {
    const { included, excluded } = readContext()
    for (const path of [...included, ...excluded]) expect(existsSync(join(CONTEXT, path)), path).toBe(true)
    const before = new Set<string>()
    for (const { name, steps } of STAGES) {
      for (const { from, words } of steps.filter(({ keyword }) => keyword === 'COPY')) {
        if (from !== null) expect(before).toContain(from)
        else expect(['.', ...included]).toEqual(expect.arrayContaining(words.slice(0, -1)))
      }
      if (name !== null) before.add(name)
    }
  })

  test('builds on one Node that the package supports', () => {
    const { engines } = JSON.parse(readFileSync(join(CONTEXT, 'package.json'), 'utf8')) as {
      engines: { node: string }
    }
    expect(new Set(STAGES.map(({ base }) => base)).size).toBe(1)
    const [, major] = IMAGE.base.match(/^node:(\d+)-/) ?? []
    expect(Number(major)).toBeGreaterThan(Number(engines.node.match(/\d+/)?.[0]))
  })

  test('runs plumbline without a shell and without root, and says how its health is checked', () => {
    expect(IMAGE.steps.find(({ keyword }) => keyword === 'USER')?.words).toEqual(['node'])
    expect(commandOf(IMAGE, 'ENTRYPOINT')).toEqual(['node', '/opt/plumbline/bin/plumbline.mjs'])
    expect(commandOf(IMAGE, 'CMD')).toEqual(['--help'])
    expect(commandOf(IMAGE, 'HEALTHCHECK').join(' ')).toContain('/healthz')
  })

  test('executes nothing outside its working directory, so that it can be tried without Docker', () => {
    const steps = STAGES.flatMap((stage) => stage.steps)
    const scripts = steps.filter(({ keyword }) => keyword === 'RUN').map(({ text }) => text)
    expect(scripts.length).toBeGreaterThan(3)
    expect(scripts.filter((script) => /(^|[\s='"])\//.test(script.replaceAll('\\\n', ' ')))).toEqual([])
  })

  test('has no instruction that is not tried', () => {
    expect(() => readStages('FROM node:22\nADD https://example.com/x /')).toThrow('ADD is not supported here')
  })
})
