import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { serve, type TestServer } from '../testing/misbehaving.ts'
import { LINE_PATH, type LineProxy, startLineProxy } from './lineProxy.ts'
import { deployedManifest } from './samples.ts'

const BLOCK = { number: '0x1', timestamp: '0x1', baseFeePerGas: '0x1', stateRoot: '0x00', transactions: [] }

/** A node with one block, whose answers a test can break. */
let node: TestServer
let failure: 'breaks-off' | 'no-json' | 'refuses-unread' | null
let line: LineProxy
beforeEach(async () => {
  failure = null
  node = await serve(async (request, response) => {
    if (failure === 'refuses-unread')
      return void response.writeHead(413, { connection: 'close' }).end(() => request.destroy())
    await text(request)
    if (failure === null) response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: BLOCK }))
    else if (failure === 'no-json') response.end('<html>')
    else response.writeHead(200, { 'content-length': '100' }).write('{"', () => response.destroy())
  })
  line = await startLineProxy({ ...deployedManifest(), rpcUrl: node.url }, { isReachable: true })
})
afterEach(async () => {
  await line.stop()
  await node.stop()
})

const post = (body: string, path = '') => fetch(`${line.url}${path}`, { method: 'POST', body })
const served = async () => (await post('{"method":"eth_chainId"}')).json()

/** Sends bytes over a separate connection, and returns the data that came until it was closed. */
async function sendRaw(bytes: string | Buffer): Promise<string> {
  const socket = connect(Number(new URL(line.url).port), '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.on('error', () => {})
  socket.end(bytes)
  await once(socket, 'close')
  return answer
}

describe('a request that a target breaks is ended, and no other', () => {
  const head = (...lines: string[]) => ['POST / HTTP/1.1', 'host: x', ...lines, '', ''].join('\r\n')
  const SIXTEEN_MIB = 16 * 1024 * 1024
  test.each<[string, string | Buffer, string]>([
    ['two of a hundred bytes', `${head('content-length: 100')}{}`, '400'],
    ['half of a chunk', `${head('transfer-encoding: chunked')}ff\r\n{}`, '400'],
    ['a chunk without a length', `${head('transfer-encoding: chunked')}xyz\r\n{}`, '400'],
    ['half of its headers', 'POST / HTTP/1.1\r\nhost', '400'],
    ['no HTTP', Buffer.from([0, 1, 2, 255]), '400'],
    [
      'a body larger than a node takes',
      `${head(`content-length: ${SIXTEEN_MIB + 1}`)}${' '.repeat(SIXTEEN_MIB + 1)}`,
      '413',
    ],
  ])('%s', async (_what, bytes, answer) => {
    expect((await sendRaw(bytes)).slice(9, 12)).toBe(answer)
    expect(await served()).toMatchObject({ result: BLOCK })
  })
})

describe('a control request', () => {
  test.each([['abc'], ['null'], ['[]'], ['{}'], ['{"fault":"nonsense"}'], ['{"fault":{"toString":1}}']])(
    '%s is refused, and injects nothing',
    async (body) => {
      const answer = await post(body, LINE_PATH)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toEqual({ error: expect.stringContaining('"answer-lost"') })
      expect(await served()).toMatchObject({ result: BLOCK })
    },
  )

  test('injects a fault, and takes it back', async () => {
    expect((await post('{"fault":"rubbish"}', LINE_PATH)).status).toBe(200)
    expect(await served()).toMatchObject({ result: 'rubbish' })
    expect((await post('{"fault":null}', LINE_PATH)).status).toBe(200)
    expect(await served()).toMatchObject({ result: BLOCK })
  })
})

describe.each([null, 'rubbish', 'refused', 'answer-lost'] as const)('with the fault %s', (fault) => {
  test.each(['breaks-off', 'no-json'] as const)(
    'a node that answers %s ends that request alone',
    async (how) => {
      if (fault !== null) line.inject(fault)
      failure = how
      const answer = await post('{}')
        .then((response) => response.text())
        .catch(() => 'closed')
      expect(answer).toBe(fault === null && how === 'no-json' ? '<html>' : 'closed')
      failure = null
      line.restore()
      expect(await served()).toMatchObject({ result: BLOCK })
    },
  )
})

test('a node that refuses a call before it has read it ends that request alone', async () => {
  failure = 'refuses-unread'
  const call = ' '.repeat(8 * 1024 * 1024)
  const answers = await Promise.all(Array.from({ length: 4 }, () => post(call).catch(() => null)))
  expect(answers).toHaveLength(4)
  failure = null
  expect(await served()).toMatchObject({ result: BLOCK })
})

describe('a target cannot change what its chain says', () => {
  test('its commands to the node are refused, and its calls are answered', async () => {
    const answer = await post('{"id":3,"method":"anvil_setBalance","params":[]}')
    expect(await answer.json()).toMatchObject({ id: 3, error: { code: -32_601 } })
    expect(await served()).toMatchObject({ result: BLOCK })
  })

  test('it learns no other URL of the node, and lifts no fault', async () => {
    const own = await startLineProxy({ ...deployedManifest(), rpcUrl: node.url })
    try {
      const reached = await fetch(`${own.url}${LINE_PATH}`)
      expect(await reached.text()).not.toContain(node.url)
      own.inject('down')
      await expect(
        fetch(`${own.url}${LINE_PATH}`, { method: 'POST', body: '{"fault":null}' }),
      ).rejects.toThrow()
      await expect(fetch(own.url, { method: 'POST', body: '{"method":"eth_chainId"}' })).rejects.toThrow()
    } finally {
      await own.stop()
    }
  })
})

describe('an interruption', () => {
  test('happens before the target gets the response, and before its other concurrent requests go on', async () => {
    const happened: string[] = []
    const interruption = line.interrupt(2, async () => {
      await new Promise((resolve) => setImmediate(resolve))
      happened.push('interruption')
    })
    await served()
    expect(happened).toEqual([])
    await Promise.all([1, 2].map(() => served().then(() => happened.push('response'))))
    expect(happened).toEqual(['interruption', 'response', 'response'])
    expect(await interruption.end()).toBe(true)
  })

  test('is cancelled where the target sends fewer requests, and throws to its caller', async () => {
    const unmet = line.interrupt(2, () => expect.fail('it was cancelled'))
    await served()
    expect(await unmet.end()).toBe(false)
    await served()
    const broken = line.interrupt(1, async () => Promise.reject(new Error('no such block')))
    expect(await served()).toMatchObject({ result: BLOCK })
    await expect(broken.end()).rejects.toThrow('no such block')
  })
})
