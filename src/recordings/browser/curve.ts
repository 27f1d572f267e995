import { bytesToHex, hexToBytes, recoverPublicKey } from 'viem'
import { sign } from 'viem/accounts'

/** Replaces `tiny-secp256k1` in the verifier of a page by viem, as the WebAssembly is twice the size of the page. */
export async function signRecoverable(hash: Uint8Array, privateKey: Uint8Array) {
  const { r, s, yParity } = await sign({ hash: bytesToHex(hash), privateKey: bytesToHex(privateKey) })
  return { signature: hexToBytes(`${r}${s.slice(2)}`), recoveryId: yParity }
}

/** Returns the signer's public key, uncompressed. */
export async function recover(hash: Uint8Array, signature: Uint8Array, yParity: number): Promise<Uint8Array> {
  const [r, s] = [bytesToHex(signature.slice(0, 32)), bytesToHex(signature.slice(32))]
  return hexToBytes(await recoverPublicKey({ hash: bytesToHex(hash), signature: { r, s, yParity } }))
}
