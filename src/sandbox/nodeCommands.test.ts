import { expect, test } from 'vitest'
import { refusalOfCommand } from './nodeCommands.ts'

const call = (method: string, id = 1) => ({ jsonrpc: '2.0', id, method, params: [] })
const errorsOf = (body: string) => {
  const refusal = refusalOfCommand(body)
  return refusal === null ? null : [JSON.parse(refusal)].flat().map(({ id, error }) => [id, error.code])
}

test.each([
  'anvil_setStorageAt',
  'evm_mine',
  'hardhat_setBalance',
  'tenderly_setBalance',
  'eth_sendUnsignedTransaction',
  'eth_sendTransaction',
  'eth_sendRawTransactionSync',
  'eth_signTransaction',
  'eth_signTypedData_v4',
  'wallet_sendTransaction',
])('%s is refused', (method) => {
  expect(errorsOf(JSON.stringify(call(method, 7)))).toEqual([[7, -32_601]])
})

test('a batch with a command is refused whole', () => {
  expect(errorsOf(JSON.stringify([call('eth_blockNumber', 1), call('evm_mine', 2)]))).toEqual([
    [1, -32_601],
    [2, -32_601],
  ])
})

test('a command is found behind escapes, and where a method is named twice', () => {
  expect(errorsOf('{"id":1,"method":"\\u0065vm_mine"}')).not.toBeNull()
  expect(errorsOf('{"id":1,"method":"eth_chainId","method":"evm_mine"}')).not.toBeNull()
})

test('a body that is not JSON and names a command is refused', () => {
  expect(errorsOf('{"id":1,"method":"evm_mine",}')).toEqual([[null, -32_601]])
})

test.each([
  JSON.stringify(call('eth_call')),
  JSON.stringify(call('eth_sendRawTransaction')),
  JSON.stringify({ ...call('eth_getLogs'), params: ['evm_mine \u0001'] }),
  'no JSON',
])('%s commands nothing', (body) => {
  expect(refusalOfCommand(body)).toBeNull()
})
