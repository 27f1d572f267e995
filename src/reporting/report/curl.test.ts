import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { curlLine } from './curl.ts'

/** Returns the arguments of curl when bash runs the line. */
function wordsOf(line: string): readonly string[] {
  const spy = `curl() { printf '%s\\0' "$@"; }; PLUMBLINE_URL=http://u PLUMBLINE_KEY='k y'; ${line}`
  return execFileSync('bash', ['-c', spy], { encoding: 'utf8' }).split('\0').slice(0, -1)
}

const FLAGS = ['-sS', '-i', '--globoff', '--path-as-is', '-X']

test('a shell hands curl every byte of the request, and the key and the address that the reader set', () => {
  const body = `{"from":"it's","to":"$HOME \`id\`","note":"a\\nb"}\n\u0001é`
  const headers = { authorization: 'Bearer <redacted>', 'x-empty': '', 'content-length': '3' }
  const line = curlLine({ method: 'POST', path: '/api/v1/swap/build?a=[1]&b=$x', headers, body }, null)
  expect(wordsOf(line)).toEqual([
    ...FLAGS,
    'POST',
    '-H',
    'authorization: Bearer k y',
    '-H',
    'x-empty;',
    '--data-raw',
    body,
    'http://u/api/v1/swap/build?a=[1]&b=$x',
  ])
})

test('a known address stands in the line', () => {
  const line = curlLine(
    { method: 'GET', path: '/q?a=1', headers: {}, body: null },
    'http://127.0.0.1:80/base',
  )
  expect(wordsOf(line)).toEqual([...FLAGS, 'GET', 'http://127.0.0.1:80/base/q?a=1'])
})
