import {
  type Hex,
  numberToHex,
  recoverTransactionAddress,
  type TransactionSerializable,
  type TransactionSerialized,
} from 'viem'
import { expect, it } from 'vitest'
import { ACCOUNTS } from '../fixtures/accounts.ts'
import { senderOf } from './sender.ts'
import { createSigner } from './signer.ts'

const TO = ACCOUNTS.bob.address
const EIP1559 = { type: 'eip1559', chainId: 4663, to: TO, gas: 21_000n, maxFeePerGas: 7n } as const

/** Enough that both parities occur, and that some r or s begins with a zero byte. */
const MANY = 150

it.each<[string, TransactionSerializable]>([
  ['eip1559', EIP1559],
  [
    'eip2930',
    {
      ...({ type: 'eip2930', chainId: 4663, gas: 9n, gasPrice: 7n, data: '0xabCD' } as const),
      accessList: [{ address: TO, storageKeys: [numberToHex(1, { size: 32 })] }],
    },
  ],
  ['legacy', { type: 'legacy', chainId: 4663, gas: 9n, gasPrice: 7n, data: '0x6000' }],
  ['legacy, of no chain', { type: 'legacy', gas: 9n, gasPrice: 7n, to: TO, value: 1n }],
])('recovers who signed: %s', async (_type, transaction) => {
  const { privateKey, address } = ACCOUNTS.alice
  const signer = createSigner(privateKey)
  for (let nonce = 0; nonce < MANY; nonce += 1) {
    const raw = await signer.signTransaction({ ...transaction, nonce } as TransactionSerializable)
    expect(await senderOf(raw)).toBe(address.toLowerCase())
  }
})

it('refuses a transaction without a valid signature', async () => {
  const raw = await createSigner(ACCOUNTS.alice.privateKey).signTransaction(EIP1559)
  const [r, s] = [raw.slice(-130, -66), raw.slice(-64)]
  const ZERO = '0'.repeat(64)
  const BEYOND = 'f'.repeat(64)
  for (const wrong of [
    raw.replace(r, ZERO),
    raw.replace(r, BEYOND),
    raw.replace(s, ZERO),
    raw.replace(s, BEYOND),
    raw.slice(0, -2),
    '0x02',
    '0x',
  ] as Hex[]) {
    await expect(senderOf(wrong), wrong).rejects.toThrow()
    await expect(
      recoverTransactionAddress({ serializedTransaction: wrong as TransactionSerialized }),
    ).rejects.toThrow()
  }
})
