let loaded: Promise<typeof import('tiny-secp256k1')> | null = null

/**
 * Returns the curve of account signatures, computed in WebAssembly. Loaded on first use, and cached here, because importing a
 * module again takes longer than signing.
 */
export function signatureCurve(): Promise<typeof import('tiny-secp256k1')> {
  loaded ??= import('tiny-secp256k1')
  return loaded
}
