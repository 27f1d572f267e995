import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CONTEXT, commandOf, DOCKERFILE, readContext, variablesOf } from './image.ts'

const linesOf = (keyword: string) =>
  DOCKERFILE.split('\n').flatMap((line) =>
    line.startsWith(`${keyword} `) ? [line.slice(keyword.length + 1)] : [],
  )

describe('the Dockerfile', () => {
  test('sees only what exists, and its script among it', () => {
    const { included, excluded } = readContext()
    for (const path of [...included, ...excluded]) expect(existsSync(join(CONTEXT, path)), path).toBe(true)
    expect(included).toEqual(expect.arrayContaining(['tools', 'package.json', 'package-lock.json']))
    expect(excluded.filter((path) => path.startsWith('tools/image'))).toEqual([])
  })

  test('executes nothing but the script, which `npm run check:image` executes as well', () => {
    expect(linesOf('RUN')).toEqual([
      expect.stringMatching(/^npm ci --ignore-scripts /),
      'sh tools/image/install.sh /opt/plumbline',
    ])
    expect(linesOf('COPY')).toEqual([
      'package.json package-lock.json ./',
      '. .',
      '--from=build /opt/plumbline /opt/plumbline',
    ])
    expect(DOCKERFILE).not.toMatch(/^ADD /m)
  })

  test('builds on one Node that the package supports, named by its digest', () => {
    const { engines } = JSON.parse(readFileSync(join(CONTEXT, 'package.json'), 'utf8')) as {
      engines: { node: string }
    }
    const images = linesOf('FROM').map((image) => image.replace(/ AS build$/, ''))
    for (const image of images) expect(image).toMatch(/^node:[\d.]+-bookworm-slim@sha256:[0-9a-f]{64}$/)
    const majors = images.map((image) => Number(image.match(/\d+/)?.[0]))
    expect(new Set(majors).size).toBe(1)
    expect(majors[0]).toBeGreaterThan(Number(engines.node.match(/\d+/)?.[0]))
  })

  test('runs plumbline without a shell and without root, and says how its health is checked', () => {
    expect(linesOf('USER')).toEqual(['node'])
    expect(commandOf('ENTRYPOINT')).toEqual(['node', '/opt/plumbline/bin/plumbline.mjs'])
    expect(commandOf('CMD')).toEqual(['--help'])
    expect(commandOf('HEALTHCHECK').join(' ')).toContain('/healthz')
    expect(variablesOf()).toEqual({ NODE_ENV: 'production', HOST: '0.0.0.0', PORT: '4663' })
  })
})
