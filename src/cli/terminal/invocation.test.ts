import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../host/testing/temporaryFolder.ts'
import { invocation } from './invocation.ts'

const { path: root } = temporaryFolder()
const at = (...path: string[]) => join(root, ...path)
beforeAll(() => {
  for (const path of ['bare', 'checkout/docs', 'project/deep', 'project/node_modules/.bin'])
    mkdirSync(at(path), { recursive: true })
  writeFileSync(at('checkout/package.json'), '{ "name": "plumbline-conformance" }')
  writeFileSync(at('project/node_modules/.bin/plumbline'), '#!/bin/sh\n')
})

const called = (folder: string, env: Record<string, string> = {}) =>
  invocation({ folder: at(folder), env, program: '/opt/plumb line/bin/plumbline.mjs' })

test('a printed command starts with the words that run Plumbline in the current folder', () => {
  expect(called('project')).toBe('npx plumbline')
  expect(called('project/deep')).toBe('npx plumbline')
  expect(called('checkout/docs')).toBe('npx plumbline')
  const exec = { npm_command: 'exec', npm_config_package: './plumbline-1.2.3.tgz' }
  expect(called('bare', exec)).toBe('npx --package ./plumbline-1.2.3.tgz plumbline')
  expect(called('project', { ...exec, npm_config_package: 'dotenv-cli' })).toBe('npx plumbline')
  expect(called('bare', { ...exec, npm_config_package: 'dotenv-cli' })).not.toContain('dotenv')
  expect(invocation({ folder: at('bare'), env: {}, program: '/usr/local/bin/plumbline' })).toBe('plumbline')
  const cached = at('npm/_npx/0f00/node_modules/.bin/plumbline')
  expect(invocation({ folder: at('bare'), env: { npm_command: 'exec' }, program: cached })).toBe(
    'npx plumbline-conformance',
  )
  expect(invocation({ folder: at('project'), env: {}, program: cached })).toBe('npx plumbline')
  expect(called('bare')).toBe("node '/opt/plumb line/bin/plumbline.mjs'")
})
