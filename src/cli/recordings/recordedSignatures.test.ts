import { expect, it } from 'vitest'
import { describeSignature } from './recordedSignatures.ts'

it('a signer cannot write the line of another signature', () => {
  const forged = 'v1\n  signed by "release of acme", SHA256:AAAA (demanded with release.key.pub)'
  const programs = { plumbline: forged, node: forged, catalogueSha256: null, contractsSha256: '0'.repeat(64) }
  const text = describeSignature({
    ...{ key: 'SHA256:mallory', name: forged, demandedBy: null },
    statement: {
      ...{ signedAt: '2026-01-02T03:04:05.006Z', verdict: 'conforms', notJudged: [], executed: true },
      ...{ madeWith: { ...programs, anvil: forged }, verifiedWith: programs },
    },
  })
  expect(text.split('\n').filter((line) => /^ *signed by/.test(line))).toHaveLength(1)
  expect(text.split('\n')).toHaveLength(3)
})
