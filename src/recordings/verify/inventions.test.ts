import { describe, expect, it } from 'vitest'
import { blobReference, resolveBlob } from '../format/blobs.ts'
import { canonicalJson, sha256 } from '../format/canonical.ts'
import { RecordingFormatError } from '../format/errors.ts'
import { type Anything, all, forged, goldenText } from '../testing/forge.ts'
import { verifyRecording } from './verifyRecording.ts'

const REORG = goldenText('reorg.moves-to-later-block')

async function refusal(text: string): Promise<Anything> {
  return verifyRecording(text).then(
    () => null,
    (error: unknown) => error,
  )
}

/** The first answered call of a method whose result is not null: its round trip and its position there. */
function callOf(recording: Anything, method: string): readonly [Anything, number] {
  for (const rpc of all(recording, 'rpc') as Anything[]) {
    const index = rpc.calls.findIndex(
      (call: Anything, at: number) =>
        call.method === method &&
        (resolveBlob(recording.blobs, rpc.replies?.[at]) as Anything)?.result !== null,
    )
    if (index >= 0) return [rpc, index]
  }
  throw new Error(`no call of ${method}`)
}

/** Writes a reply in the place of another, and drops the blobs that nothing refers to any more. */
function withReply(recording: Anything, method: string, change: (reply: Anything) => Anything): void {
  const [rpc, index] = callOf(recording, method)
  const reply = change(structuredClone(resolveBlob(recording.blobs, rpc.replies[index])))
  const key = sha256(canonicalJson(reply))
  rpc.replies[index] = `sha256:${key}`
  const used = new Set(
    (all(recording, 'rpc') as Anything[]).flatMap(({ calls, replies }) =>
      [...calls.map(({ params }: Anything) => params), ...(replies ?? [])].map(blobReference),
    ),
  )
  const blobs = Object.entries({ ...recording.blobs, [key]: JSON.parse(canonicalJson(reply)) })
  recording.blobs = Object.fromEntries(
    blobs.filter(([each]) => used.has(each)).sort(([one], [other]) => (one < other ? -1 : 1)),
  )
}

const changed = (change: (result: Anything) => void) => (reply: Anything) => {
  change(reply.result)
  return reply
}
const BLOCK = 'eth_getBlockByNumber'
const TRANSACTION = 'eth_getTransactionByHash'
const RECEIPT = 'eth_getTransactionReceipt'

describe('what the node says of the chain', () => {
  it.each<[string, string, (reply: Anything) => Anything]>([
    ['no logs', RECEIPT, changed((result) => (result.logs = []))],
    ['another topic', RECEIPT, changed((result) => (result.logs[0].topics[0] = `0x${'1'.repeat(64)}`))],
    ['another block number', RECEIPT, changed((result) => (result.blockNumber = '0xff'))],
    ['another transaction', RECEIPT, changed((result) => (result.transactionHash = `0x${'1'.repeat(64)}`))],
    ['other gas', RECEIPT, changed((result) => (result.cumulativeGasUsed = '0x1'))],
    ['no receipt', RECEIPT, () => ({ result: null })],
    ['another hash', TRANSACTION, changed((result) => (result.hash = `0x${'1'.repeat(64)}`))],
    ['another block number', TRANSACTION, changed((result) => (result.blockNumber = '0xff'))],
    ['another nonce', TRANSACTION, changed((result) => (result.nonce = '0xff'))],
    ['another recipient', TRANSACTION, changed((result) => (result.to = { toString: 0 }))],
    ['no block', BLOCK, () => ({ result: null })],
    ['a text', BLOCK, () => ({ result: 'rubbish' })],
    ['another hash', BLOCK, changed((result) => (result.hash = { toString: 0 }))],
    ['another state root', BLOCK, changed((result) => (result.stateRoot = `0x${'1'.repeat(64)}`))],
    ['other transactions', BLOCK, changed((result) => (result.transactions = []))],
    ['a refusal', RECEIPT, () => ({ error: { code: -32603, message: 'internal error' } })],
    ['a refusal', BLOCK, () => ({ error: { code: -32603, message: 'internal error' } })],
    ['a refusal', 'eth_blockNumber', () => ({ error: { code: -32603, message: 'internal error' } })],
  ])('is not believed against the blocks: %s of %s', async (_what, method, change) => {
    const error = await refusal(forged(REORG, (recording) => withReply(recording, method, change)))
    expect(error).toMatchObject({
      name: 'ContradictionError',
      field: expect.stringMatching(/^replies\.\d+$/),
    })
  })

  it('is not lost without a fault', async () => {
    const text = forged(REORG, (recording) => {
      const [rpc] = callOf(recording, 'eth_blockNumber')
      rpc.replies = null
      for (const [key] of Object.entries(recording.blobs))
        if (!JSON.stringify(recording.entries).includes(key)) delete recording.blobs[key]
    })
    expect(await refusal(text)).toMatchObject({ name: 'ContradictionError', field: 'replies' })
  })

  it.each<[string, (call: Anything) => void]>([
    ['a method that nobody knows', (call) => (call.method = 'eth_gasPricf')],
    ['a method that a prototype has', (call) => (call.method = 'constructor')],
    ['a parameter that it does not take', (call) => call.params.push('0xffffffff')],
  ])('is in doubt where a call cannot be judged: %s', async (_what, change) => {
    const text = forged(REORG, (recording) => {
      const [rpc, index] = callOf(recording, 'eth_gasPrice')
      change(rpc.calls[index])
    })
    expect(await refusal(text)).toMatchObject({
      name: 'ChainInDoubtError',
      field: expect.stringMatching(/^calls\.\d+$/),
    })
  })

  it('names the chain', async () => {
    const text = forged(REORG, (recording) => {
      const [rpc, index] = callOf(recording, 'eth_chainId')
      rpc.replies[index] = { result: '0x1' }
    })
    expect(await refusal(text)).toMatchObject({ name: 'ChainInDoubtError' })
  })
})

describe('a file that is made to break its reader', () => {
  const blockOf = (recording: Anything) => all(recording, 'block')[1] as Anything
  it.each<[string, string, (recording: Anything) => void]>([
    [
      'parameters that are no list',
      'ContradictionError',
      (r) => {
        const [rpc, index] = callOf(r, 'eth_gasPrice')
        rpc.calls[index].params = 7
      },
    ],
    [
      'an id far beyond any run',
      'ContradictionError',
      (r) => ((all(r, 'http')[0] as Anything).drew[0].index = Number.MAX_SAFE_INTEGER),
    ],
    [
      'a report of no text',
      'ContradictionError',
      (r) => {
        const { http } = all(r, 'report')[0] as Anything
        ;(all(r, 'http')[http] as Anything).body = '{"buildId":{"toString":0},"txHash":{"toString":0}}'
      },
    ],
    [
      'a step that asks for what every object has',
      'ContradictionError',
      (r) => {
        const step = (all(r, 'script')[0] as Anything).steps.find(({ op }: Anything) => op === 'build')
        step.body = { toString: 'x' }
      },
    ],
    [
      'a report of nothing',
      'ContradictionError',
      (r) => ((all(r, 'http')[(all(r, 'report')[0] as Anything).http] as Anything).body = 'null'),
    ],
  ])('is refused: %s', async (_what, name, change) => {
    expect(await refusal(forged(REORG, change))).toMatchObject({ name })
  })

  it.each<[string, (recording: Anything) => void]>([
    ['no room for gas', (r) => (blockOf(r).header.gasLimit = 0)],
    ['room for one unit of gas', (r) => (blockOf(r).header.gasLimit = 1)],
    ['a time before all times', (r) => (blockOf(r).header.timestampS = -1)],
  ])('is no recording: %s', async (_what, change) => {
    const text = (() => {
      try {
        return forged(REORG, change)
      } catch (error) {
        return error
      }
    })()
    expect(typeof text === 'string' ? await refusal(text) : text).toMatchObject({
      name: expect.stringMatching(new RegExp(`^(?:ZodError|${RecordingFormatError.name})$`)),
    })
  })
})

describe('what the service says of itself', () => {
  const built = (recording: Anything) =>
    all(recording, 'http').find(({ answer }) => answer?.status === 200) as Anything

  it('has the ids that it drew', async () => {
    const text = forged(REORG, (recording) => {
      const { answer } = built(recording)
      const body = JSON.parse(answer.body)
      body.route.quoteId = '00000000-0000-4000-8000-000000000000'
      answer.body = JSON.stringify(body)
    })
    expect(await refusal(text)).toMatchObject({ name: 'ContradictionError', field: 'answer.body' })
  })

  it('keeps its headers when it is said to have drawn nothing', async () => {
    const text = forged(REORG, (recording) => (all(recording, 'http').at(-1) as Anything).drew.splice(0))
    expect(await refusal(text)).toMatchObject({ field: 'answer.headers.x-request-id' })
  })

  it('is not excused by a fault of the store that no step injects', async () => {
    const text = forged(REORG, (recording) => {
      const at = recording.entries.findIndex(({ kind }: Anything) => kind === 'http')
      const failed = { kind: 'store-fault', http: 0, method: 'insertBuild', error: 'StoreUnavailableError' }
      recording.entries.splice(at + 1, 0, failed)
    })
    expect(await refusal(text)).toMatchObject({ name: 'ContradictionError', field: 'method' })
  })

  it('is not failed by a store in a way that no step injects', async () => {
    const text = forged(goldenText('failures.store-down'), (recording) => {
      ;(all(recording, 'store-fault')[0] as Anything).error = 'AlreadyAttributedError'
    })
    expect(await refusal(text)).toMatchObject({ name: 'ContradictionError', field: 'error' })
  })
})
