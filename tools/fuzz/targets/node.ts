import { text } from 'node:stream/consumers'
import type { Json } from '../../../src/runner/families/shrinkJson.ts'
import { serve } from '../../../src/targets/testing/misbehaving.ts'

/** A node of the chain between the service and the real one, which can answer in its place. */
export interface ScriptedNode {
  readonly url: string
  /** The texts that it sends in the place of its next answers, in their order; null: the real node's. */
  instead: (string | null)[]
  /** Returns the real node's answers since the last look. */
  look(): Json[]
  stop(): Promise<void>
}

/** @param rpcUrl the real node. */
export async function startScriptedNode(rpcUrl: string): Promise<ScriptedNode> {
  const answers: Json[] = []
  const headers = { 'content-type': 'application/json' }
  const answer = async (body: string): Promise<string> => {
    const scripted = node.instead.shift() ?? null
    if (scripted !== null) return scripted
    const answered = await (await fetch(rpcUrl, { method: 'POST', headers, body })).text()
    answers.push(JSON.parse(answered))
    return answered
  }
  const { url, stop } = await serve((request, response) => {
    text(request)
      .then(answer)
      .then(
        (answered) => response.writeHead(200, headers).end(answered),
        (error: Error) => response.destroy(error),
      )
  })
  const node: ScriptedNode = { url, instead: [], look: () => answers.splice(0), stop }
  return node
}
