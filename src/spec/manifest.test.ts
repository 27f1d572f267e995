import { expect, it } from 'vitest'
import { manifestSchema } from './manifest.ts'

const { rpcUrl } = manifestSchema.shape

it.each(['http://127.0.0.1:8545', 'https://node.example/v3/key', 'HTTP://[::1]:8545/'])(
  'takes the chain at %s',
  (url) => {
    expect(rpcUrl.parse(url)).toBe(url)
  },
)

it.each([
  'gopher://127.0.0.1:8545',
  'ws://127.0.0.1:8545',
  'file:///dev/null',
  'javascript:0',
  'httpx://node.example',
  'http:',
  '//node.example',
  '127.0.0.1:8545',
  '',
])('takes no chain at "%s"', (url) => {
  expect(rpcUrl.safeParse(url)).toMatchObject({ success: false })
})
