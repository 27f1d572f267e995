import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readArguments } from './arguments.ts'

const SERVICE = new URL('../../src/service/', import.meta.url)

/** The parts of `file declaration: original → replacement #2`. */
const KEY = /^(?<file>\S+) (?<within>[\w.#]+)(?:: (?<original>.*?)(?: → .*)?)?$/

it('every argument names code of the service as it is', () => {
  const stale = readArguments()
    .flatMap(({ mutants }) => mutants)
    .filter((key) => !namesCode(key))
  expect(stale, 'arguments.json names code that has changed: adapt or remove these keys').toEqual([])
})

it('names each mutant once', () => {
  const keys = readArguments().flatMap(({ mutants }) => mutants)
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
})

function namesCode(key: string): boolean {
  const { file = '', within = '', original = '' } = KEY.exec(key)?.groups ?? {}
  if (file === '') return false
  const source = readFileSync(new URL(file, SERVICE), 'utf8').replace(/\s+/g, ' ')
  const names = within.split('.').every((name) => source.includes(name))
  return names && original.split(' … ').every((part) => source.includes(part))
}
