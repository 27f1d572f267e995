import { messagesIn } from './jsonRpc.ts'

/**
 * Methods that change or disguise a chain, or that use the accounts of the node. A node of a chain in use has none of them; whoever
 * swaps there signs and sends what it signed, by one method alone.
 */
const COMMAND = /^(?:anvil|evm|hardhat|personal|tenderly|wallet)_|^eth_(?:send(?!RawTransaction$)|sign)/
/** What a body that commands anything has in it: the name of a command, or an escape that may hide one. */
const SUSPECT =
  /(?:anvil|evm|hardhat|personal|tenderly|wallet)_|eth_send(?!RawTransaction["'\s])|eth_sign|\\u/
/** JSON-RPC: the method does not exist. */
const NO_SUCH_METHOD = -32_601

/**
 * Returns the answer to a body of JSON-RPC in which a program under test commands its node: it could make the chain say whatever it
 * claims. A batch is refused whole.
 *
 * @returns null: the body commands nothing.
 */
export function refusalOfCommand(body: string): string | null {
  if (!SUSPECT.test(body)) return null
  const calls = messagesIn(body)
  const command = calls.find((call) => typeof call?.method === 'string' && COMMAND.test(call.method))?.method
  // A node that reads more than this parser might find a command in it.
  const isUnread = calls[0] === undefined
  if (command === undefined && !isUnread) return null
  const message = `${command ?? 'a body that is no JSON'} is refused: a node in use takes no commands and has no accounts; sign it, and send it with eth_sendRawTransaction`
  const replies = calls.map((call) => ({
    ...{ jsonrpc: '2.0', id: call?.id ?? null },
    error: { code: NO_SUCH_METHOD, message },
  }))
  return JSON.stringify(body.trimStart().startsWith('[') ? replies : replies[0])
}
