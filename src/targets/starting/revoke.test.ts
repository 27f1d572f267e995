import { expect, test } from 'vitest'
import { revokerOf } from './revoke.ts'

const EXPIRED_MS = 0

test('a command that revokes a key ends with the run, and the run reports it', async () => {
  await expect(revokerOf('exec sleep 1000 {keyId}', {}, Date.now() + 300)('1')).rejects.toMatchObject({
    name: 'BlamedError',
    blame: 'harness',
    message: expect.stringContaining('it did not end within 1 s'),
  })
  // Nor does a run whose time is over wait for a command that leaves its group.
  const hidden = revokerOf('setsid sleep 3 & wait {keyId}', {}, EXPIRED_MS)
  await expect(hidden('')).rejects.toMatchObject({ message: expect.stringContaining('did not end') })
})
