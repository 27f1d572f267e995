import { type Hex, keccak256, numberToHex, type TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { ACCOUNTS } from '../fixtures/accounts.ts'
import { createSigner } from './signer.ts'

const TO = ACCOUNTS.bob.address
/** Enough that both parities occur, and that some r or s begins with a zero byte. */
const MANY = 150

it.each<[string, (index: number) => TransactionSerializable]>([
  [
    'eip1559',
    (nonce) => ({ type: 'eip1559', chainId: 4663, nonce, to: TO, gas: 21_000n, maxFeePerGas: 7n, value: 1n }),
  ],
  [
    'eip2930',
    (nonce) => ({ type: 'eip2930', chainId: 4663, nonce, to: TO, gas: 9n, gasPrice: 7n, data: '0xabCD' }),
  ],
  ['legacy', (nonce) => ({ type: 'legacy', chainId: 4663, nonce, gas: 9n, gasPrice: 7n, data: '0x6000' })],
])('signs transactions as viem does: %s', async (_type, transactionOf) => {
  const { privateKey } = ACCOUNTS.alice
  const [signer, account] = [createSigner(privateKey), privateKeyToAccount(privateKey)]
  for (let index = 0; index < MANY; index += 1) {
    const transaction = transactionOf(index)
    expect(await signer.signTransaction(transaction)).toBe(
      await account.signTransaction(transaction as never),
    )
  }
})

it('signs typed data as viem does, with any key', async () => {
  const keys: readonly Hex[] = [
    numberToHex(1, { size: 32 }),
    '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140',
    ...Array.from({ length: 50 }, (_, index) => keccak256(numberToHex(index))),
  ]
  const types = { Order: [{ name: 'amount', type: 'uint256' }] } as const
  for (const [index, privateKey] of keys.entries()) {
    const [signer, account] = [createSigner(privateKey), privateKeyToAccount(privateKey)]
    const definition = {
      domain: { name: 'Orders', chainId: 4663 },
      types,
      primaryType: 'Order',
      message: { amount: BigInt(index) },
    } as const
    expect(signer.address).toBe(account.address)
    expect(await signer.signTypedData(definition)).toBe(await account.signTypedData(definition))
  }
})
