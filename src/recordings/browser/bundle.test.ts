import { runInNewContext } from 'node:vm'
import { inflateSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import type { VerifierMessage } from '../../reporting/report/selfCheck.ts'
import { forged, goldenText } from '../testing/forge.ts'
import { withReply } from '../testing/forgeries/forgery.ts'
import { summarizeRecording } from '../verify/summarizeRecording.ts'
import { verifierForPages } from './bundle.ts'

/** Together they have every kind of entry. */
const GOLDEN = ['failures.store-down', 'keys.revoked-before-confirm', 'reorg.between-check-and-record']

/** Sends a recording to the bundled verifier; resolves with its messages after the last one. */
type Verify = (text: string) => Promise<readonly VerifierMessage[]>

/** Starts the bundle with globals of a browser's worker, and none of Node's. */
function startBundle(): Verify {
  let listen: (event: { data: string }) => void = () => {}
  let heard: (message: VerifierMessage) => void = () => {}
  const bundle = inflateSync(Buffer.from(verifierForPages(), 'base64')).toString()
  runInNewContext(bundle, {
    ...{ TextEncoder, TextDecoder, URL, URLSearchParams, crypto, console, setTimeout, queueMicrotask },
    addEventListener: (_type: string, listener: typeof listen) => {
      listen = listener
    },
    postMessage: (message: VerifierMessage) => heard(message),
  })
  return (text) =>
    new Promise((resolve) => {
      const messages: VerifierMessage[] = []
      heard = (message) => {
        messages.push(structuredClone(message))
        if (message.kind !== 'passed') resolve(messages)
      }
      listen({ data: text })
    })
}

const PASSED = ['seal', 'blocks', 'contents', 'verdicts', 'execution'].map((stage) => ({
  kind: 'passed',
  stage,
}))

describe('the verifier that is bundled for pages', () => {
  let verify: Verify
  beforeAll(() => {
    verify = startBundle()
  })

  it.each(GOLDEN)('gives the summary of the command, without any module of Node: %s', async (id) => {
    const { summary } = await summarizeRecording(goldenText(id))
    expect(await verify(goldenText(id))).toEqual([...PASSED, { kind: 'summary', summary }])
  })

  it('says which entry a changed byte is in, and that no stage has passed', async () => {
    const text = goldenText('reorg.after-recorded')
    const altered = text.replace('"gasUsed":0', '"gasUsed":1')
    expect(altered).not.toBe(text)
    expect(await verify(altered)).toEqual([
      {
        kind: 'summary',
        summary: expect.objectContaining({
          verdict: 'refused',
          refused: expect.stringMatching(/^entry \d+, header\.gasUsed: does not fit the seal/),
        }),
      },
    ])
  })

  it('finds by execution what was altered and sealed again', async () => {
    const altered = forged(goldenText('replacement.higher-fee'), (recording) =>
      withReply(recording, 'eth_gasPrice', () => ({ result: '0x77' })),
    )
    const messages = await verify(altered)
    expect(messages.slice(0, -1)).toEqual(PASSED.slice(0, -1))
    expect(messages.at(-1)).toMatchObject({
      summary: { verdict: 'inconclusive', problem: expect.stringContaining('recorded 0x77') },
    })
  })

  it('refuses a file that is not a recording, and verifies the next one', async () => {
    expect(await verify('{}')).toEqual([{ kind: 'unread', problem: expect.stringContaining('schema') }])
    expect(await verify(goldenText('window.at-the-end'))).toHaveLength(PASSED.length + 1)
  })
})
