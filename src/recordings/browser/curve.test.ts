import { keccak256, numberToHex } from 'viem'
import { expect, it } from 'vitest'
import { recover, signRecoverable } from './curve.ts'

it('signs and recovers as the curve in WebAssembly does, to the byte', async () => {
  const curve = await import('tiny-secp256k1')
  for (let index = 0; index < 20; index += 1) {
    const [hash, key] = [0, 100].map((from) => keccak256(numberToHex(from + index), 'bytes')) as [
      Uint8Array,
      Uint8Array,
    ]
    const signed = curve.signRecoverable(hash, key)
    expect(await signRecoverable(hash, key)).toEqual(signed)
    const { signature, recoveryId } = signed
    expect(await recover(hash, signature, recoveryId)).toEqual(curve.recover(hash, signature, recoveryId))
  }
})
