import { messagesIn } from './jsonRpc.ts'

/**
 * Methods that change or disguise a chain, or that use the node's accounts. A node of a real chain has none of them: a client
 * can only send signed transactions, by one method.
 */
const COMMAND = /^(?:anvil|evm|hardhat|personal|tenderly|wallet)_|^eth_(?:send(?!RawTransaction$)|sign)/
/** Every body with a command matches this: it has the name of a command, or an escape that may hide one. */
const SUSPECT =
  /(?:anvil|evm|hardhat|personal|tenderly|wallet)_|eth_send(?!RawTransaction["'\s])|eth_sign|\\u/
/** JSON-RPC: the method does not exist. */
const NO_SUCH_METHOD = -32_601

/**
 * Returns the refusal of a JSON-RPC body in which a program under test commands its node, with which it could make the chain
 * confirm any claim. A batch is refused as a whole.
 *
 * @returns null: the body contains no command.
 */
export function refusalOfCommand(body: string): string | null {
  if (!SUSPECT.test(body)) return null
  const calls = messagesIn(body)
  const command = calls.find((call) => typeof call?.method === 'string' && COMMAND.test(call.method))?.method
  // A more lenient parser in the node might find a command in it.
  const isUnread = calls[0] === undefined
  if (command === undefined && !isUnread) return null
  const message = `${command ?? 'a body that is no JSON'} is refused: a node in use takes no commands and has no accounts; sign it, and send it with eth_sendRawTransaction`
  const replies = calls.map((call) => ({
    ...{ jsonrpc: '2.0', id: call?.id ?? null },
    error: { code: NO_SUCH_METHOD, message },
  }))
  return JSON.stringify(body.trimStart().startsWith('[') ? replies : replies[0])
}
